// The frames panel: where work stood, newest first, and beside it one frame in full with the
// modules around it. The drawing is in neighbourhood.js.

import { fill, h } from "../dom.js";
import { plainly } from "../rows.js";
import { calmly, emptiness, halves, isNewDay, paged, projectField } from "../story.js";
import { ago, counted, dayName, fully } from "../time.js";
import { virtualList } from "../virtual.js";
import { frameView } from "./frame.js";

const NEWS = 1500;
const TYPING = 180;
const ASKED = ["project", "q", "branch", "jira", "module", "since"];
const SAID = { branch: "Branch", jira: "Ticket", module: "Module" };

export const panel = { id: "frames", title: "Frames", key: "4", mount };

function mount(root, context) {
  const { api, go, live } = context;
  let asked = null;
  let beside = null;
  let typing = 0;

  const view = halves(root, { title: "Frames", side: "The frame chosen",
    back: "All frames", onBack: closed });
  const list = virtualList({ label: "Frames", key: (frame) => frame.id, estimate: 112, render,
    onOpen: opened, onNear: () => pages.more(),
    onActive: ({ id }) => context.state.frame && go({ frame: id }, { replace: true }) });
  const pages = paged(list, { api, path: "/api/viewer/frames", question: () => asked, nothing,
    onLoad: () => context.state.frame && list.mark(context.state.frame) });
  const project = projectField(context);
  const search = h("input", { class: "field", type: "search", placeholder: "Words of a frame",
    "aria-label": "Search frames", autocomplete: "off", spellcheck: "false", oninput: typed });
  const chips = h("div", { class: "story-row chips" });
  view.top.append(project.element);
  view.head.append(search, chips);
  view.body.append(list.element, pages.absent);

  function typed() {
    clearTimeout(typing);
    typing = setTimeout(() => go({ q: search.value.trim() }, { replace: true }), TYPING);
  }

  function render(frame, index, items) {
    const isChosen = context.state.frame === frame.id;
    const isDay = !asked.q && isNewDay(frame.at, items[index - 1]?.at);
    const blocked = frame.blockers.length + frame.merge_blockers.length;
    const failing = frame.tests_failing.length;
    return h("div", null,
      isDay && h("h2", { class: "day" }, dayName(frame.at)),
      h("div", { class: isChosen ? "item is-chosen" : "item" },
        h("a", { class: "item-title", tabindex: -1, href: context.href({ frame: frame.id }),
          onclick: plainly(() => opened(frame)) }, frame.reference_point),
        frame.next_action && h("p", { class: "item-text" },
          "Next: ", frame.next_action),
        h("p", { class: "item-foot" },
          h("span", null, frame.project),
          frame.branch && h("span", { class: "mono" }, frame.branch),
          frame.jira && h("span", null, frame.jira),
          blocked > 0 && h("span", { class: "is-blocked" }, counted(blocked, "blocker")),
          failing > 0 && h("span", { class: "is-blocked" }, counted(failing, "test fails", "tests fail")),
          frame.is_outdated && h("span", { class: "line-mark" }, "outdated"),
          h("time", { title: fully(frame.at), datetime: new Date(frame.at).toISOString() },
            ago(frame.at)))));
  }

  function opened(frame) {
    list.mark(frame.id);
    go({ frame: frame.id });
    view.side.focus({ preventScroll: true });
  }

  function closed() {
    const id = context.state.frame;
    go({ frame: null });
    list.focus(id);
    return true;
  }

  const cleared = Object.fromEntries(ASKED.map((name) => [name, null]));

  function nothing() {
    return ASKED.some((name) => context.state[name])
      ? emptiness("No frame is like that",
        h("button", { class: "button", type: "button", onclick: () => go(cleared) },
          "Show all frames"))
      : emptiness("No frame yet",
        h("p", null, "A frame says where work stands so that it can be taken up again: what comes ",
          "next, what is in the way, which modules it is about. Agents keep them with lex.remember, ",
          "and so can you:"),
        h("pre", null, 'recollect lex remember --reference-point "Login works" \\\n',
          '  --summary-caption "All but the second factor" \\\n',
          '  --next-action "Second factor" \\\n',
          "  --module-scope web/login"));
  }

  function narrowed(state) {
    fill(chips, ["branch", "jira", "module"].filter((name) => state[name]).map((name) =>
      h("button", { class: "chip", type: "button", "aria-label": `Without: ${SAID[name]} ${state[name]}`,
        onclick: () => go({ [name]: null }) }, `${SAID[name]} ${state[name]}`, " ×")));
  }

  function besides({ frame }) {
    view.choose(Boolean(frame));
    if (beside && beside.id === frame) return;
    beside?.part?.unmount();
    view.side.replaceChildren();
    const part = frame ? frameView(view.side, context, frame) : null;
    if (!part) {
      view.side.append(emptiness("Choose a frame",
        h("p", null, "Where work stood, what was in the way, and the modules around it stand here.")));
    }
    beside = { id: frame, part };
  }

  const news = calmly(pages.news, NEWS);
  const stops = [live.on("*", news), live.onResume(news)];

  return {
    keys: {
      "/": () => search.select(),
      j: () => list.move(1),
      k: () => list.move(-1),
      Escape: () => (context.state.frame ? closed() : false),
    },
    help: [["/", "words of a frame"], ["j / k", "the next and the one before"], ["Enter", "read it in full"]],
    update(state) {
      const next = Object.fromEntries(ASKED.map((name) => [name, state[name]]));
      project.show();
      narrowed(state);
      if (document.activeElement !== search) search.value = state.q ?? "";
      if (!asked || ASKED.some((name) => asked[name] !== next[name])) {
        asked = next;
        pages.load();
      }
      besides(state);
      list.redraw();
    },
    unmount() {
      for (const stop of stops) stop();
      clearTimeout(typing);
      news.stop();
      pages.stop();
      beside?.part?.unmount();
      list.destroy();
    },
  };
}
