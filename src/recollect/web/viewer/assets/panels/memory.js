// The memory panel: a question, filters, what answers it, and one memory in full beside.

import { changing } from "../changes.js";
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { keep, kept } from "../keep.js";
import { pages } from "../pages.js";
import { itemRow } from "../rows.js";
import { only, same } from "../state.js";
import { count, counted } from "../time.js";
import { virtualList } from "../virtual.js";
import { detailView } from "./detail.js";
import { filterBar, FILTERS, without } from "./filters.js";

const AT = "/api/viewer/memories";
const ASKED = ["q", ...FILTERS];
const PREVIEW = 400;
const TYPING = 160;
const NEWS = 1200;

export const panel = { id: "memory", title: "Memory", key: "1", mount };

function mount(root, context) {
  const { api, live, go } = context;
  const found = pages(api, AT);
  let told = null; // the page that the line above the list is about
  let isOffered = false;
  let typing = 0;
  let news = 0;
  let hasFailed = false; // what was asked last; a problem stands in the place of its answer

  const list = virtualList({
    label: "Memories", key: (item) => item.id, render, onNear: more, onOpen: opened,
    onActive: (item) => {
      if (context.state.id) go({ id: item.id }, { replace: true });
    },
  });
  const changes = changing(context, {
    onChanged(item) {
      put(item);
      detail.changed(item);
    },
    onGone(item) {
      found.remove(item.id);
      list.remove(item.id);
      if (context.state.id === String(item.id)) go({ id: null }, { replace: true });
      said();
    },
    onBack: () => ask(context.state, { isQuiet: true }),
  });
  const detail = detailView(context, { changes, scoreOf, onClose: closed });
  const filters = filterBar(context);

  const search = h("input", { class: "field search-field", type: "search", dir: "auto",
    "aria-label": "Search", placeholder: "Ask your memory…", autocomplete: "off", spellcheck: "false",
    enterkeyhint: "search", oninput: typed });
  const toggle = h("button", { class: "button", type: "button", "aria-controls": "filters",
    onclick: () => showFilters(filters.element.hidden) });
  const summary = h("p", { class: "summary soft small" });
  const empty = h("div", { class: "list-empty", hidden: true });
  const listing = h("section", { class: "listing", "aria-label": "Results" },
    h("div", { class: "listing-head" },
      h("h1", { class: "unseen" }, "Memory"),
      h("form", { class: "search", role: "search", onsubmit: submitted },
        h("span", { class: "search-icon" }, icon("search")), search, toggle),
      filters.element, filters.chips, summary),
    h("div", { class: "listing-body" }, list.element, empty));
  root.append(h("div", { class: "split" }, listing, detail.element));
  showFilters(kept("filters") === "open", { isFirst: true });

  function showFilters(isShown, { isFirst = false } = {}) {
    filters.element.hidden = !isShown;
    toggle.setAttribute("aria-expanded", isShown);
    if (!isFirst) keep("filters", isShown ? "open" : null);
    list.redraw();
  }

  function typed() {
    clearTimeout(typing);
    typing = setTimeout(() => go({ q: search.value.trim() }, { replace: true }), TYPING);
  }

  function submitted(event) {
    event.preventDefault();
    clearTimeout(typing);
    go({ q: search.value.trim() });
    list.focus();
  }

  function render(item, index, items) {
    const before = items[index - 1];
    const isDated = !found.question?.q;
    return itemRow(item, {
      href: context.href({ id: item.id }),
      onOpen: () => opened(item),
      isDated,
      day: isDated && (!before || day(before) !== day(item)),
      most: items[0]?.score?.total ?? 0,
      isChosen: context.state.id === String(item.id),
    });
  }

  function opened(item) {
    list.mark(item.id);
    go({ id: item.id });
    detail.focus();
  }

  function closed() {
    const id = Number(context.state.id);
    go({ id: null });
    list.focus(id);
  }

  function put(item) {
    const held = list.items.find((each) => each.id === item.id);
    if (!held) return;
    const text = item.text.slice(0, PREVIEW);
    const now = { ...held, ...item, text, is_cut: text !== item.text, score: held.score };
    found.put(now);
    list.put(now);
  }

  function scoreOf(id) {
    return list.items.find((item) => item.id === id)?.score ?? null;
  }

  async function ask(state, { isQuiet = false } = {}) {
    listing.setAttribute("aria-busy", "true");
    let page;
    try {
      page = await found.ask(only(state, ASKED));
    } catch (error) {
      list.set([], { isOther: true });
      problem(error);
    }
    if (page === null) return; // a newer question is under way
    hasFailed = page === undefined;
    offered();
    listing.removeAttribute("aria-busy");
    if (page === undefined) return;
    show({ isOther: !isQuiet });
    said(page);
    detail.scored();
    if (context.state.id) list.mark(Number(context.state.id));
    if (!isQuiet) context.announce(summary.textContent);
  }

  // After the first answer, which somebody is waiting for.
  function offered() {
    if (isOffered) return;
    isOffered = true;
    context.overview().then(filters.offer, () => filters.offer({}));
    detail.overview();
  }

  async function more() {
    if (await found.more()) {
      show();
      said();
    }
  }

  function show(how = {}) {
    list.set(found.items, { of: found.total ?? -1, ...how });
  }

  // The line above the list; what the list lacks is said in its place.
  function said(page = told) {
    told = page;
    const shown = list.items.length;
    empty.hidden = shown > 0;
    list.element.hidden = shown === 0;
    if (!page) return;
    if (!shown) {
      const isNarrow = found.question.q || narrowed();
      fill(summary, isNarrow ? "Nothing found" : "");
      fill(empty, isNarrow ? nothingFound(page) : firstStep());
      return;
    }
    const ways = page.mode === "hybrid" ? "by words and meaning" : "by words";
    const asked = found.question;
    const number = found.hasMore ? `${count(shown)}+` : count(shown);
    fill(summary, asked.q
      ? `${number} found ${ways} in ${Math.max(1, Math.round(page.took_ms))} ms, best first`
      : `${found.total === null ? "" : `${counted(found.total, "memory", "memories")}, `}newest first`,
      page.problem && h("span", { class: "note-problem" }, ` · ${page.problem}`));
  }

  function narrowed() {
    return FILTERS.some((name) => found.question[name]);
  }

  function nothingFound(page) {
    const asked = found.question;
    return h("div", { class: "empty" },
      h("h2", null, "Nothing here answers that"),
      h("p", null, asked.q
        ? "Other words may: what was done is kept in the words of files, commands and prompts."
        : "No memory is like that."),
      page.problem && h("p", { class: "small" }, page.problem),
      h("div", { class: "row" },
        narrowed() && h("button", { class: "button", type: "button", onclick: () => go(without()) },
          "Search without filters"),
        asked.q && h("button", { class: "button", type: "button", onclick: () => go({ q: null }) },
          "Show everything")));
  }

  function firstStep() {
    return h("div", { class: "empty" },
      h("h2", null, "Nothing is remembered yet"),
      h("p", null, "Point your agent here once, and what it does is kept from then on. This prints ",
        "what to paste into its settings:"),
      h("pre", null, "recollect wiring claude-code"),
      h("p", null, "Or begin with a remark of your own, and watch it arrive:"),
      h("pre", null, 'recollect mark "Staging runs behind a slow proxy"'));
  }

  function problem(error) {
    list.element.hidden = true;
    empty.hidden = false;
    fill(summary, "");
    fill(empty, h("div", { class: "empty" },
      h("p", { class: "problem", role: "alert" }, error.message),
      h("button", { class: "button", type: "button", onclick: () => ask(context.state) }, "Try again")));
  }

  // What came meanwhile is put on top, without moving what is being read.
  async function fresh() {
    if (!told || found.question.q) return;
    try {
      const number = await found.news();
      if (number === null) return;
      show();
      said();
      if (number) detail.told();
      if (number) context.announce(counted(number, "new memory", "new memories"));
    } catch {
      // The line about the connection says it; the next notice tries again.
    }
  }

  // The worker is back: what it could not answer is asked again, and what is read stays where it is.
  function resumed() {
    detail.resumed(context.state);
    if (hasFailed) ask(context.state, { isQuiet: true });
    else if (found.question?.q) list.redraw();
    else fresh();
  }

  function soon() {
    news ||= setTimeout(() => {
      news = 0;
      fresh();
    }, NEWS);
  }

  const stops = [live.on("*", soon), live.onResume(resumed)];

  return {
    keys: {
      "/": () => search.select(),
      j: () => list.move(1),
      k: () => list.move(-1),
      f: () => showFilters(filters.element.hidden),
      Escape: () => detail.escape() || (context.state.id ? (closed(), true) : left()),
      ...detail.keys(() => list.active),
    },
    help: [["j / k", "the next and the one before"], ["Enter", "read it in full"],
      ["f", "filters"], ...detail.help],
    update(state) {
      if (document.activeElement !== search || !search.value.trim().startsWith(state.q ?? "")) {
        search.value = state.q ?? "";
      }
      const number = filters.update(state);
      fill(toggle, icon("filter"), number ? `Filters (${number})` : "Filters");
      root.classList.toggle("has-detail", Boolean(state.id));
      listing.inert = Boolean(state.id) && matchMedia("(width <= 62rem)").matches;
      if (!found.question || !same(found.question, only(state, ASKED))) ask(state);
      list.redraw();
      detail.update(state);
    },
    unmount() {
      found.stop();
      clearTimeout(typing);
      clearTimeout(news);
      for (const stop of stops) stop();
      list.destroy();
      detail.unmount();
      root.replaceChildren();
    },
  };

  // Out of the search field, into what it found.
  function left() {
    if (document.activeElement !== search) return false;
    list.focus();
    return true;
  }
}

const day = (item) => new Date(item.created_at).toDateString();
