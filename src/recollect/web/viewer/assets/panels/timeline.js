// The timeline panel: how much was remembered when, a playhead that is dragged over it, and below
// what was there to remember at that moment, newest first. The drawing is in strip.js.

import { isAborted } from "../api.js";
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { KINDS, plainly } from "../rows.js";
import { calmly, emptiness, isNewDay, paged, projectField, storyLine } from "../story.js";
import { clockTime, counted, dayName, fully, isMoment } from "../time.js";
import { virtualList } from "../virtual.js";
import { strip } from "./strip.js";

const BUCKETS = 120;
const NEWS = 1500;
const SCRUBBING = 90;
const HOUR = 3_600_000;
const NARROWEST = 60_000;
const SPANS = [["Hour", HOUR], ["Day", 24 * HOUR], ["Week", 7 * 24 * HOUR],
  ["Month", 30 * 24 * HOUR], ["All", null]];
const ASKED = ["project", "since", "until"];
const ASIDE = new Set(["thought", "lifecycle"]); // as in all lists, shown when they are asked for

export const panel = { id: "timeline", title: "Timeline", key: "3", mount };

function mount(root, context) {
  const { api, go, live } = context;
  const opened = new Map();
  let told = null; // what the worker said of the window
  let asked = null;
  let until = null; // the moment up to which the list goes; null for all there is
  let listed = null;
  let asking = null;

  const list = virtualList({ label: "What was remembered until then", key: (item) => item.id, render,
    onOpen: (item) => go({ view: "memory", id: item.id }), onNear: () => pages.more() });
  const pages = paged(list, { api, path: "/api/viewer/memories", nothing, question: () => (
    { project: context.state.project, kind: context.state.kind, until }) });
  const project = projectField(context);
  const drawn = strip({ onMove: moved, onRest: rested, onWindow: windowed });
  const spans = SPANS.map(([name, width]) => h("button", { class: "button", type: "button",
    onclick: () => zoomedTo(width) }, name));
  const kinds = h("div", { class: "legend", role: "group", "aria-label": "Kinds" });
  const moment = h("p", { class: "moment" });
  const problem = h("p", { class: "problem", role: "alert" });
  const earlier = stepButton("Earlier", "back", -1);
  const later = stepButton("Later", "back", 1);
  later.classList.add("is-turned");

  root.append(h("div", { class: "time-panel" },
    h("header", { class: "time-head" },
      h("div", { class: "time-tools" },
        h("h1", null, "Timeline"),
        project.element,
        h("div", { class: "story-row spans", role: "group", "aria-label": "How much time is shown" },
          earlier, spans, later)),
      h("div", { class: "strip-place" }, drawn.element),
      h("div", { class: "time-foot" }, moment, kinds),
      problem),
    h("div", { class: "time-list" }, list.element, pages.absent)));

  function stepButton(label, name, way) {
    return h("button", { class: "icon-button", type: "button", "aria-label": label, title: label,
      onclick: () => panned(way / 2) }, icon(name));
  }

  function render(item, index, items) {
    return h("div", { class: "trace-row" },
      isNewDay(item.created_at, items[index - 1]?.created_at)
        && h("h2", { class: "day" }, dayName(item.created_at)),
      storyLine(item, context, { told: opened, redraw: list.redraw, more: sessionLink(item) }));
  }

  function sessionLink({ session, project: named }) {
    const whose = h("span", { class: "line-mark" }, named);
    if (session === null) return whose;
    const to = { view: "sessions", session };
    return [whose, h("a", { class: "line-mark", href: context.href(to),
      onclick: plainly(() => go(to)) }, `session ${session}`)];
  }

  function nothing() {
    return told && !any() && !ASKED.some((name) => context.state[name])
      ? emptiness("Nothing has happened yet",
        h("p", null, "Once an agent is connected, its days are drawn here. This prints how:"),
        h("pre", null, "recollect wiring claude-code"))
      : emptiness("Nothing was remembered until then",
        h("p", null, "Move the line to the right, or show more time."));
  }

  const any = () => told.buckets.some(({ counts }) => Object.keys(counts).length);

  // The whole window anew. The playhead stays at its moment, or at the end where it never moved.
  async function load() {
    asking?.abort();
    asking = new AbortController();
    const mine = asking;
    try {
      const query = { ...asked, buckets: BUCKETS, kind: Object.keys(KINDS).join(",") };
      told = await api.get("/api/viewer/timeline", query, { signal: mine.signal });
    } catch (error) {
      if (!isAborted(error)) fill(problem, error.message);
      return;
    }
    fill(problem);
    show();
  }

  function show() {
    const { at: named, kind } = context.state;
    const isNamed = named !== undefined && isMoment(Number(named));
    const next = isNamed ? Number(named) : told.until;
    const kinds = kind ? kind.split(",") : Object.keys(KINDS).filter((each) => !ASIDE.has(each));
    drawn.show(told, { at: next, kinds });
    legend(kinds);
    said(next);
    for (const [index, [, width]] of SPANS.entries()) {
      const isThis = width === null ? !context.state.since && !context.state.until
        : Boolean(context.state.since) && Math.abs(told.until - told.since - width) < NARROWEST;
      spans[index].setAttribute("aria-pressed", isThis);
    }
    read(next);
  }

  // The list up to a moment, once: asked again only when the moment or what is asked for changed.
  function read(next) {
    const { project: named, kind } = context.state;
    // At its end the list is open, so that what comes can come.
    const end = next >= told.until ? context.state.until : Math.round(next);
    const question = `${end ?? ""} ${named ?? ""} ${kind ?? ""}`;
    if (question === listed) return;
    listed = question;
    until = end;
    pages.load();
  }

  function said(next) {
    const bucket = told.buckets.find((each) => each.at <= next && next < each.at + told.width);
    const number = Object.values(bucket?.counts ?? {}).reduce((sum, each) => sum + each, 0);
    const many = number ? counted(number, "memory", "memories") : "nothing";
    fill(moment, "Until ", h("time", { datetime: new Date(next).toISOString(), title: fully(next) },
      `${dayName(next)}, ${clockTime(next)}`),
    h("span", { class: "faint" }, ` · ${many} in this bar`));
    drawn.say(`${dayName(next)}, ${clockTime(next)}, ${many}`);
  }

  function legend(chosen) {
    const counts = {};
    for (const bucket of told.buckets) {
      for (const [kind, n] of Object.entries(bucket.counts)) counts[kind] = (counts[kind] ?? 0) + n;
    }
    const focused = kinds.contains(document.activeElement) ? document.activeElement.dataset.kind : null;
    const named = context.state.kind ? chosen : [];
    const there = Object.keys(KINDS).filter((kind) => counts[kind] || named.includes(kind));
    fill(kinds, there.map((kind) => h("button", { class: "chip kind", type: "button",
      dataset: { kind }, "aria-pressed": String(chosen.includes(kind)),
      onclick: () => toggled(kind) }, KINDS[kind],
    h("span", { class: "faint" }, String(counts[kind] ?? 0)))));
    if (focused) kinds.querySelector(`[data-kind="${CSS.escape(focused)}"]`)?.focus();
  }

  // The first choice is the only one; further ones come with it, and none means all.
  function toggled(kind) {
    const chosen = context.state.kind?.split(",") ?? [];
    go({ kind: (chosen.includes(kind) ? chosen.filter((each) => each !== kind) : [...chosen, kind])
      .join(",") });
  }

  let scrubbed = 0;

  function moved(next) {
    said(next);
    clearTimeout(scrubbed);
    scrubbed = setTimeout(() => read(next), SCRUBBING);
  }

  function rested(next) {
    clearTimeout(scrubbed);
    go({ at: next >= told.until ? null : Math.round(next) }, { replace: true });
    read(next);
  }

  function windowed(since, until) {
    if (until - since < NARROWEST) return;
    go({ since: Math.round(since), until: Math.round(until), at: null });
  }

  function zoomedTo(width) {
    if (width === null) {
      go({ since: null, until: null });
      return;
    }
    const named = Number(context.state.at ?? NaN);
    const centre = isMoment(named) ? named : told?.until ?? Date.now();
    const until = Math.min(centre + width / 2, Math.max(told?.until ?? 0, centre));
    go({ since: Math.round(until - width), until: Math.round(until) });
  }

  function panned(part) {
    if (!told) return;
    const by = (told.until - told.since) * part;
    go({ since: Math.round(told.since + by), until: Math.round(told.until + by), at: null });
  }

  function zoomed(times) {
    if (told) zoomedTo(Math.max((told.until - told.since) * times, NARROWEST));
  }

  const news = calmly(() => load().then(pages.news), NEWS);
  const stops = [live.on("*", news), live.onResume(news)];

  return {
    keys: {
      j: () => list.move(1),
      k: () => list.move(-1),
      "+": () => zoomed(0.5),
      "-": () => zoomed(2),
      "0": () => zoomedTo(null),
      "[": () => panned(-0.5),
      "]": () => panned(0.5),
      ",": () => drawn.step(-1),
      ".": () => drawn.step(1),
      Escape: () => context.state.at && (go({ at: null }), true),
    },
    help: [["Shift + drag", "choose a stretch of time"],
      [", / .", "the line back and forth"], ["+ / -", "less time, more time"],
      ["[ / ]", "earlier, later"], ["0", "all of it"], ["j / k", "the next and the one before"]],
    update(state) {
      project.show();
      const next = Object.fromEntries(ASKED.map((name) => [name, state[name]]));
      const isOther = !asked || ASKED.some((name) => asked[name] !== next[name]);
      asked = next;
      if (isOther) load();
      else if (told) show();
    },
    unmount() {
      for (const stop of stops) stop();
      clearTimeout(scrubbed);
      news.stop();
      asking?.abort();
      pages.stop();
      drawn.destroy();
      list.destroy();
    },
  };
}
