// The sessions panel: which sessions there were, and beside them one in full, or the history of one
// file. What is shown beside is in session.js and filehistory.js.

import { h } from "../dom.js";
import { plainly } from "../rows.js";
import { calmly, emptiness, halves, isNewDay, paged, projectField } from "../story.js";
import { ago, counted, dayName, endOfDay, fieldDay, fully, lasting, startOfDay } from "../time.js";
import { virtualList } from "../virtual.js";
import { fileHistory } from "./filehistory.js";
import { sessionTrace } from "./session.js";

const NEWS = 2500;
const ASKED = ["project", "since", "until"];

export const panel = { id: "sessions", title: "Sessions", key: "2", mount };

function mount(root, context) {
  const { api, go, live } = context;
  let asked = null;
  let beside = null; // { key, part }

  const view = halves(root, { title: "Sessions", side: "The session chosen",
    back: "All sessions", onBack: closed });
  const list = virtualList({ label: "Sessions", key: (session) => session.number, estimate: 104,
    render, onOpen: opened, onNear: () => pages.more(),
    onActive: ({ number }) => context.state.session && go({ session: number }, { replace: true }) });
  const pages = paged(list, { api, path: "/api/viewer/sessions", question: () => asked, nothing,
    key: (session) => session.number, onLoad: marked });
  const project = projectField(context);
  const since = dayField("From", "since", startOfDay);
  const until = dayField("To", "until", endOfDay);
  const file = h("input", { class: "field", type: "text", placeholder: "src/app.py",
    spellcheck: "false", autocapitalize: "none", "aria-label": "History of a file" });
  const filters = h("details", { class: "story-more" },
    h("summary", null, "Days, and the history of a file"),
    h("div", { class: "story-filters" },
      h("label", { class: "labelled" }, h("span", null, "From"), since),
      h("label", { class: "labelled" }, h("span", null, "To"), until),
      h("form", { class: "labelled is-wide", onsubmit: fileAsked },
        h("span", { "aria-hidden": "true" }, "History of a file"),
        h("div", { class: "story-row" }, file,
          h("button", { class: "button", type: "submit" }, "Show")))));
  view.top.append(project.element);
  view.head.append(filters);
  view.body.append(list.element, pages.absent);

  function dayField(label, name, at) {
    return h("input", { class: "field", type: "date", "aria-label": label,
      onchange: (event) => go({ [name]: at(event.target.value) }) });
  }

  function fileAsked(event) {
    event.preventDefault();
    const path = file.value.trim();
    if (path) go({ file: path, session: null });
  }

  function render(session, index, items) {
    const isFirst = isNewDay(session.started_at, items[index - 1]?.started_at);
    const isChosen = context.state.session === String(session.number);
    const { first_prompt: first, summary_title: summary } = session;
    const title = summary || first || "No prompt";
    return h("div", null,
      isFirst && h("h2", { class: "day" }, dayName(session.started_at)),
      h("div", { class: isChosen ? "item is-chosen" : "item" },
        h("a", { class: "item-title", tabindex: -1, href: context.href({ session: session.number }),
          onclick: plainly(() => opened(session)) }, title),
        first && !title.startsWith(first.replace(/…$/, "")) && h("p", { class: "item-text" }, first),
        h("p", { class: "item-foot" },
          h("span", null, session.project),
          h("time", { title: fully(session.started_at),
            datetime: new Date(session.started_at).toISOString() }, ago(session.started_at)),
          h("span", null, session.ended_at
            ? lasting(session.ended_at - session.started_at) : h("em", null, "no end yet")),
          h("span", null, counted(session.prompts, "prompt")),
          h("span", null, counted(session.memories, "memory", "memories")))));
  }

  function marked() {
    if (context.state.session) list.mark(Number(context.state.session));
  }

  function opened(session) {
    list.mark(session.number);
    go({ session: session.number, file: null });
    view.side.focus({ preventScroll: true });
  }

  // The arrows go on into what is beside.
  view.side.addEventListener("keydown", (event) => {
    if (event.target !== view.side || !["ArrowDown", "PageDown", " "].includes(event.key)) return;
    event.preventDefault();
    beside?.part?.focus();
  });

  function closed() {
    const number = Number(context.state.session);
    go({ session: null, file: null });
    if (number) list.focus(number);
    return true;
  }

  function nothing() {
    return ASKED.some((name) => context.state[name])
      ? emptiness("No session is like that",
        h("button", { class: "button", type: "button",
          onclick: () => go({ project: null, since: null, until: null }) }, "Show all sessions"))
      : emptiness("No session yet",
        h("p", null, "A session is one conversation with an agent: what was asked, what was done for ",
          "it, and what came of it. This prints what connects your agent:"),
        h("pre", null, "recollect wiring claude-code"));
  }

  // What is beside the list follows the address.
  function besides(state) {
    const key = state.file ? `file ${state.file} ${state.project ?? ""}` : state.session ?? "";
    view.choose(key !== "");
    if (beside?.key === key) return;
    beside?.part?.unmount();
    view.side.replaceChildren();
    const part = state.file ? fileHistory(view.side, context, state.file)
      : state.session ? sessionTrace(view.side, context, state.session) : null;
    if (!part) {
      view.side.append(emptiness("Choose a session",
        h("p", null, "Its prompts, what was done for each of them, and its summary stand here.")));
    }
    beside = { key, part };
  }

  const news = calmly(() => {
    pages.news();
    beside?.part?.refresh();
  }, NEWS);
  const stops = [live.on("*", news), live.onResume(news)];

  return {
    keys: {
      j: () => list.move(1),
      k: () => list.move(-1),
      n: () => beside?.part?.toPrompt?.(1),
      p: () => beside?.part?.toPrompt?.(-1),
      Escape: () => (context.state.session || context.state.file ? closed() : false),
    },
    help: [["j / k", "the next and the one before"], ["Enter", "its trace"],
      ["n / p", "its next prompt and the one before"]],
    update(state) {
      const next = Object.fromEntries(ASKED.map((name) => [name, state[name]]));
      project.show();
      since.value = state.since ? fieldDay(state.since) : "";
      until.value = state.until ? fieldDay(state.until) : "";
      if (document.activeElement !== file) file.value = state.file ?? "";
      if (state.since || state.until || state.file) filters.open = true;
      if (!asked || ASKED.some((name) => asked[name] !== next[name])) {
        asked = next;
        pages.load();
      }
      besides(state);
      list.redraw();
    },
    unmount() {
      for (const stop of stops) stop();
      news.stop();
      pages.stop();
      beside?.part?.unmount();
      list.destroy();
    },
  };
}
