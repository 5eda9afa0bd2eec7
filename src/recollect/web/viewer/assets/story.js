// What sessions, the timeline, frames and the live panel share: two halves of which a phone shows
// one, a list that says what it lacks, a memory as one line of a story, and some small parts.

import { fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { pages } from "./pages.js";
import { beyond, headline, kindText, plainly, shortPath } from "./rows.js";
import { clockTime, fully } from "./time.js";

export const LINES = 2;
export const SIGNS = 200;

// A list and, beside it, what was chosen from it. On a phone one covers the other.
export function halves(root, { title, side, onBack, back }) {
  const top = h("div", { class: "story-top" }, h("h1", null, title));
  const head = h("header", { class: "listing-head" }, top);
  const body = h("div", { class: "listing-body" });
  const beside = h("div", { class: "story-side", tabindex: -1 });
  const list = h("section", { class: "listing", "aria-label": title }, head, body);
  root.append(h("div", { class: "split" }, list,
    h("section", { class: "detail", "aria-label": side },
      h("button", { class: "button is-quiet detail-back", type: "button", onclick: onBack },
        icon("back"), back), beside)));
  return {
    top,
    head,
    body,
    side: beside,
    // Whether something is chosen: a phone then shows nothing but it.
    choose(isChosen) {
      root.classList.toggle("has-detail", isChosen);
      list.inert = isChosen && matchMedia("(width <= 62rem)").matches;
    },
  };
}

// A list that comes in pages of what is at `path`; `question()` says what is asked for now. What the
// list lacks is said by `nothing()` in its place.
export function paged(list, { api, path, question, nothing, onLoad, key = (item) => item.id, size = 50 }) {
  const absent = h("div", { class: "list-empty", hidden: true });
  const found = pages(api, path, { size, key });

  async function load() {
    if (!list.items.length) show(WAITING.map(() => h("div", { class: "story-waiting" },
      h("div", { class: "waiting" }), h("div", { class: "waiting" }))));
    try {
      if (await found.ask(question()) === null) return;
      list.set(found.items, { isOther: true });
      show(found.items.length ? null : nothing());
      onLoad?.();
    } catch (error) {
      list.set([], { isOther: true });
      show(h("div", { class: "empty" },
        h("p", { class: "problem", role: "alert" }, error.message),
        h("button", { class: "button", type: "button", onclick: load }, "Try again")));
    }
  }

  // What came since, without moving what is being read.
  async function news() {
    try {
      if (await found.news() === null) return;
    } catch {
      return; // the line about the connection says it; the next notice tries again
    }
    list.set(found.items);
    if (found.items.length) show(null);
  }

  async function more() {
    if (await found.more()) list.append(found.items.slice(list.items.length));
  }

  function show(content) {
    absent.hidden = content === null;
    list.element.hidden = content !== null;
    fill(absent, content);
  }

  return { absent, load, news, more, stop: found.stop };
}

const WAITING = [0, 1, 2, 3];

// The project that a view is narrowed to; what there is to choose comes from the overview.
export function projectField(context, { every = "All projects", label = "Project" } = {}) {
  const field = h("select", { class: "field", "aria-label": label,
    onchange: () => context.go({ project: field.value }) }, h("option", { value: "" }, every));
  let names = [];

  function show(value = context.state.project ?? "") {
    const all = [...new Set([...names, value])].filter(Boolean);
    fill(field, every && h("option", { value: "" }, every),
      all.map((name) => h("option", { value: name }, name)));
    field.value = value;
  }

  context.overview().then((told) => {
    names = told.projects.map(({ name }) => name);
    show();
  }, () => show());
  show();
  return { element: field, show, names: () => names };
}

// One memory as a line of a story: when, what, and as much of its text as fits two lines; the rest
// opens in place. `told` holds what was opened, so that it stays open while the list is drawn anew.
export function storyLine(item, context, { told, isTimed = true, more, redraw }) {
  const text = isEcho(item) ? "" : beyond(item);
  const opened = told.get(item.id);
  const brief = opened ?? shortened(text);
  const isCut = opened === undefined && (item.is_cut || brief !== text);
  return h("div", { class: item.is_outdated ? "line is-outdated" : "line",
      dataset: { kind: item.kind } },
    isTimed && h("time", { class: "line-time", title: fully(item.created_at),
      datetime: new Date(item.created_at).toISOString() }, clockTime(item.created_at)),
    h("div", { class: "line-body" },
      h("p", { class: "line-head" },
        h("span", { class: "kind" }, kindText(item)),
        item.file && fileLink(item.file, context),
        item.is_pinned && h("span", { class: "line-mark" }, "pinned"),
        item.is_outdated && h("span", { class: "line-mark" }, "outdated"),
        more),
      memoryLink(item, context, headline(item)),
      brief && h("p", { class: "line-text" }, brief),
      isCut && h("button", { class: "line-more", type: "button",
        "aria-label": `Show all: ${headline(item)}`,
        onclick: (event) => whole(item, context, told, redraw, event.target) }, "Show all"),
      opened !== undefined && h("button", { class: "line-more", type: "button",
        onclick: (event) => {
          told.delete(item.id);
          again(redraw, event.target);
        } }, "Show less")));
}

export function memoryLink(item, context, ...children) {
  return h("a", { class: "line-title", href: context.href({ view: "memory", id: item.id }),
    onclick: plainly(() => context.go({ view: "memory", id: item.id })) }, children);
}

export function fileLink(path, context) {
  const to = { view: "sessions", file: path, session: null };
  return h("a", { class: "line-file mono", title: `${path}: its history`, href: context.href(to),
    onclick: plainly(() => context.go(to)) }, shortPath(path));
}

// "Wednesday the 4th" is said once, above the first of its day.
export const isNewDay = (item, before) =>
  !before || new Date(before).toDateString() !== new Date(item).toDateString();

export function emptiness(title, ...paragraphs) {
  return h("div", { class: "empty" }, h("h2", null, title), paragraphs);
}

// Called at most once in a while, at its end.
export function calmly(does, pause) {
  let timer = 0;
  const soon = () => {
    timer ||= setTimeout(() => {
      timer = 0;
      does();
    }, pause);
  };
  soon.stop = () => {
    clearTimeout(timer);
    timer = 0;
  };
  return soon;
}

// A text that its title says already; and "Read /code/app.py" says no more than "Read app.py",
// where the path stands beside it.
function isEcho(item) {
  if (item.is_cut) return false;
  if (headline(item).includes(item.text.trim())) return true;
  if (!item.file || !item.title) return false;
  const behind = (text) => text.replaceAll(item.file, item.file.split("/").pop())
    .replace(/^\S+\s+/, "").replace(/\s+/g, " ").trim();
  return behind(item.text) === behind(item.title);
}

async function whole(item, context, told, redraw, button) {
  let text = beyond(item);
  if (item.is_cut) {
    button.disabled = true;
    try {
      text = beyond(await context.api.get(`/api/viewer/memories/${item.id}`));
    } catch (error) {
      button.disabled = false;
      context.toast(error.message, { isProblem: true });
      return;
    }
  }
  told.set(item.id, text);
  again(redraw, button);
}

// What is drawn anew keeps the focus where it was: on the button that opens and closes it.
function again(redraw, button) {
  const row = button.closest(".virtual-row");
  redraw();
  row?.querySelector(".line-more")?.focus();
}

// Whole lines where it goes, whole words where it must.
function shortened(text) {
  const lines = text.split("\n").filter((line) => line.trim());
  const some = lines.slice(0, LINES).join("\n");
  const isShort = lines.length <= LINES && some.length <= SIGNS;
  if (isShort) return text;
  if (some.length <= SIGNS) return `${some} …`;
  const cut = some.slice(0, SIGNS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), SIGNS - 40))} …`;
}
