// What was done with one file, newest first, whatever the session.

import { h } from "../dom.js";
import { plainly } from "../rows.js";
import { emptiness, isNewDay, paged, storyLine } from "../story.js";
import { dayName } from "../time.js";
import { virtualList } from "../virtual.js";

export function fileHistory(root, context, path) {
  const opened = new Map();
  const list = virtualList({ label: `History of ${path}`, key: (item) => item.id, render,
    onOpen: (item) => context.go({ view: "memory", id: item.id }), onNear: () => pages.more() });
  const pages = paged(list, { api: context.api, path: "/api/viewer/files", nothing,
    question: () => ({ path, project: context.state.project }) });
  root.append(
    h("header", { class: "trace-head" },
      h("p", { class: "faint small" }, "History of"),
      h("h2", { class: "trace-title mono" }, path),
      h("p", { class: "story-row" },
        h("a", { class: "chip", href: context.href({ view: "memory", file: path }),
          onclick: plainly(() => context.go({ view: "memory", file: path })) },
        "Search what is about it"),
        context.state.project && h("button", { class: "chip", type: "button",
          onclick: () => context.go({ project: null }) },
        `Only ${context.state.project}: look in all projects`))),
    h("div", { class: "trace-body" }, list.element, pages.absent));

  function render(item, index, items) {
    return h("div", { class: "trace-row" },
      isNewDay(item.created_at, items[index - 1]?.created_at)
        && h("h3", { class: "day" }, dayName(item.created_at)),
      storyLine(item, context, { told: opened, redraw: list.redraw, more: sessionLink(item) }));
  }

  function sessionLink({ session }) {
    if (session === null) return null;
    const to = { view: "sessions", session, file: null };
    return h("a", { class: "line-mark", href: context.href(to), onclick: plainly(() => context.go(to)) },
      `session ${session}`);
  }

  function nothing() {
    return emptiness("Nothing is remembered of this file",
      h("p", null, "A whole path finds it, and so do its last parts: src/app.py."));
  }

  pages.load();
  return {
    refresh: pages.news,
    focus: () => list.focus(),
    unmount() {
      pages.stop();
      list.destroy();
    },
  };
}
