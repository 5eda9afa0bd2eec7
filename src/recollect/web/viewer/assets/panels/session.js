// One session from its first prompt to its summary: what was asked, and under it what was done.

import { fill, h } from "../dom.js";
import { changed } from "../pages.js";
import { headline, plainly } from "../rows.js";
import { emptiness, fileLink, isNewDay, memoryLink, storyLine } from "../story.js";
import { clockTime, counted, dayName, fully, lasting } from "../time.js";
import { virtualList } from "../virtual.js";

const FILES = 12;
const RECAP = [
  ["request", "Asked for"],
  ["investigated", "Looked into"],
  ["learned", "Learned"],
  ["completed", "Done"],
  ["next_steps", "Next"],
  ["notes", "Notes"],
];

export function sessionTrace(root, context, number) {
  const opened = new Map();
  const list = virtualList({ label: `Session ${number}`, key: (row) => row.key, render,
    onOpen: ({ item }) => item && context.go({ view: "memory", id: item.id }) });
  const absent = h("div", { class: "list-empty", hidden: true });
  let asking = null;
  let hasAllFiles = false;
  root.append(h("div", { class: "trace-body is-whole" }, list.element, absent));

  async function load({ isQuiet = false } = {}) {
    asking?.abort();
    asking = new AbortController();
    const mine = asking;
    try {
      const session = await context.api.get(`/api/viewer/sessions/${encodeURIComponent(number)}`,
        null, { signal: mine.signal });
      if (mine !== asking) return;
      const before = new Map(list.items.map((row) => [row.key, row]));
      list.set(rows(session).map((row) => (before.has(row.key) ? changed(before.get(row.key), row) : row)));
    } catch (error) {
      if (mine !== asking || error.name === "AbortError" || isQuiet) return;
      list.element.hidden = true;
      absent.hidden = false;
      fill(absent, h("div", { class: "empty" },
        h("p", { class: "problem", role: "alert" }, error.message)));
    }
  }

  function render(row, index, items) {
    const before = items[index - 1]?.item;
    if (row.sort === "head") return head(row.session);
    if (row.sort === "summary") return summary(row.summary);
    if (row.sort === "nothing") {
      return emptiness("Nothing was done here",
        h("p", null, "The session began, and nothing of it is kept."));
    }
    const { item } = row;
    return h("div", { class: "trace-row" },
      isNewDay(item.created_at, before?.created_at)
        && h("h3", { class: "day" }, dayName(item.created_at)),
      row.sort === "prompt" ? asked(row) : done(row));
  }

  function done({ item }) {
    return storyLine(item, context, { told: opened, redraw: list.redraw });
  }

  function asked({ item, place, number: follow }) {
    if (item.kind !== "prompt") return done({ item });
    return h("div", { class: "asked" },
      h("p", { class: "asked-head" },
        h("h3", { class: "kind", dataset: { kind: "prompt" } },
          memoryLink(item, context, `Prompt ${place}`)),
        h("time", { class: "faint", title: fully(item.created_at),
          datetime: new Date(item.created_at).toISOString() }, clockTime(item.created_at)),
        h("span", { class: "faint" }, follow ? counted(follow, "thing done", "things done") : "")),
      h("blockquote", { class: "asked-text" }, opened.get(item.id) ?? item.text),
      item.is_cut && !opened.has(item.id) && h("button", { class: "line-more", type: "button",
        onclick: (event) => wholePrompt(item, event.target) }, "Show all of it"));
  }

  async function wholePrompt(item, button) {
    button.disabled = true;
    try {
      opened.set(item.id, (await context.api.get(`/api/viewer/memories/${item.id}`)).text);
      list.redraw();
    } catch (error) {
      button.disabled = false;
      context.toast(error.message, { isProblem: true });
    }
  }

  function head(session) {
    const files = filesOf(session);
    const shown = hasAllFiles ? files : files.slice(0, FILES);
    const rest = files.length - shown.length;
    const first = session.turns.find(({ prompt }) => prompt?.kind === "prompt")?.prompt;
    const ended = session.ended_at;
    return h("header", { class: "trace-head" },
      h("p", { class: "faint small" }, `Session ${session.number}`),
      h("h2", { class: "trace-title" },
        (session.summary && titleOf(session.summary)) || (first ? headline(first) : "No prompt")),
      h("p", { class: "trace-facts" },
        h("a", { class: "chip", href: context.href({ project: session.project }),
          onclick: plainly(() => context.go({ project: session.project })) }, session.project),
        session.platform && h("span", null, session.platform),
        h("time", { title: fully(session.started_at),
          datetime: new Date(session.started_at).toISOString() },
        `${dayName(session.started_at)}, ${clockTime(session.started_at)}`),
        h("span", null, ended ? lasting(ended - session.started_at) : "no end yet"),
        h("span", null, counted(session.prompts, "prompt")),
        h("span", null, counted(session.memories, "memory", "memories"))),
      h("p", { class: "trace-id faint small" }, "Its agent calls it ", h("code", null, session.id)),
      files.length > 0 && h("div", { class: "trace-files" },
        h("h3", null, "Files"),
        h("ul", null, shown.map((path) => h("li", null, fileLink(path, context))),
          rest > 0 && h("li", null, h("button", { class: "line-more", type: "button",
            onclick: () => { hasAllFiles = true; list.redraw(); } }, `and ${rest} more`)))));
  }

  function summary(told) {
    const recap = told.recap;
    const parts = recap ? RECAP.filter(([name]) => recap[name]) : [];
    return h("section", { class: "trace-summary", dataset: { kind: "summary" },
      "aria-label": "Summary" },
      h("h3", { class: "kind" }, memoryLink(told, context, "Summary")),
      parts.length
        ? h("dl", null, parts.map(([name, label]) =>
          h("div", null, h("dt", null, label), h("dd", null, recap[name]))))
        : h("p", { class: "line-text" }, told.text));
  }

  load();
  return {
    refresh: () => load({ isQuiet: true }),
    focus: () => list.focus(),
    // The prompt after the row that has the focus, or the one before it.
    toPrompt(way) {
      const prompts = list.items.map((row, index) => [row, index]).filter(([row]) => row.place);
      const from = list.items.indexOf(list.active);
      const next = way > 0 ? prompts.find(([, index]) => index > from)
        : prompts.findLast(([, index]) => index < from);
      if (next) list.focus(next[0].key);
    },
    unmount() {
      asking?.abort();
      list.destroy();
    },
  };
}

function rows(session) {
  const told = [{ key: "head", sort: "head", session }];
  if (session.summary) told.push({ key: "summary", sort: "summary", summary: session.summary });
  const skipped = session.summary?.id; // it stands above already
  let place = 0;
  for (const { prompt, items } of session.turns) {
    const done = items.filter(({ id }) => id !== skipped);
    if (prompt) {
      if (prompt.kind === "prompt") place += 1;
      told.push({ key: prompt.id, sort: "prompt", item: prompt, place, number: done.length });
    }
    for (const item of done) told.push({ key: item.id, sort: "done", item });
  }
  if (told.length === 1) told.push({ key: "nothing", sort: "nothing" });
  return told;
}

function filesOf(session) {
  const paths = session.turns.flatMap(({ items }) => items.map(({ file }) => file));
  return [...new Set(paths.filter(Boolean))];
}

const titleOf = ({ recap, title }) => title || recap?.request || null;
