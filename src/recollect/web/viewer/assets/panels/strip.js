// The drawing of the timeline: bars of how much there is, and a line that is dragged over them.
// With Shift, or the other mouse button held, a stretch is chosen instead. It is a slider: arrows
// move the line by one bar.

import { fill, h, s } from "../dom.js";
import { clockTime, dayName } from "../time.js";

const HEIGHT = 132;
const FOOT = 20;
const LEAST = 4;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY,
  2 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 91 * DAY, 182 * DAY, 365 * DAY, 1826 * DAY, 18_262 * DAY];
const ROOM = 96;
const MOST_TICKS = 60;
const CLICK = 6;
// From below: what was asked, what was done, and what came of it.
const ORDER = ["prompt", "observation", "thought", "lifecycle", "summary", "note", "fact", "frame"];

export function strip({ onMove, onRest, onWindow }) {
  const drawing = s("svg", { class: "strip-drawing", "aria-hidden": "true" });
  const line = h("div", { class: "strip-line", "aria-hidden": "true" });
  const chosen = h("div", { class: "strip-chosen", hidden: true, "aria-hidden": "true" });
  const element = h("div", { class: "strip", role: "slider", tabindex: 0,
    "aria-label": "The moment that is shown", "aria-valuemin": 0, "aria-valuemax": 0,
    "aria-valuenow": 0 }, drawing, chosen, line);
  let told = null;
  let kinds = ORDER;
  let at = 0;
  let held = null; // { from, isWindow }

  const size = new ResizeObserver(draw);
  size.observe(element);

  const share = (moment) => (moment - told.since) / Math.max(told.until - told.since, 1);
  const within = (moment) => Math.min(Math.max(moment, told.since), told.until);

  function momentAt(event) {
    const box = element.getBoundingClientRect();
    return within(told.since + ((event.clientX - box.left) / box.width) * (told.until - told.since));
  }

  function draw() {
    if (!told) return;
    const width = element.clientWidth;
    if (!width) return;
    drawing.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    drawing.setAttribute("width", width);
    drawing.setAttribute("height", HEIGHT);
    fill(drawing, ticks(width), bars(width),
      s("line", { class: "strip-ground", x1: 0, x2: width, y1: HEIGHT - FOOT, y2: HEIGHT - FOOT }));
    place();
  }

  function bars(width) {
    const room = HEIGHT - FOOT - 8;
    const sums = told.buckets.map(({ counts }) => total(counts));
    const most = Math.max(...sums, 1);
    const wide = (told.width / Math.max(told.until - told.since, 1)) * width;
    return told.buckets.map((bucket, index) => {
      if (!sums[index]) return null;
      // Roots: one busy hour must not hide the quiet ones.
      const height = Math.max(LEAST, Math.sqrt(sums[index] / most) * room);
      let top = HEIGHT - FOOT;
      return ORDER.filter((kind) => kinds.includes(kind) && bucket.counts[kind]).map((kind) => {
        const part = (bucket.counts[kind] / sums[index]) * height;
        top -= part;
        return s("rect", { class: "strip-bar", dataset: { kind }, y: top.toFixed(2),
          x: (share(bucket.at) * width + 0.5).toFixed(2), height: part.toFixed(2),
          width: Math.max(wide - 1, 2).toFixed(2) });
      });
    });
  }

  const total = (counts) => kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);

  // At whole hours or days of the reader's clock, as close as words have room.
  function ticks(width) {
    const span = told.until - told.since;
    const step = STEPS.find((each) => (span / each) * ROOM <= width) ?? STEPS.at(-1);
    const first = new Date(told.since);
    first.setHours(0, 0, 0, 0);
    const found = [];
    for (let index = 0; found.length < MOST_TICKS; index += 1) {
      const moment = step < DAY ? first.getTime() + index * step
        : new Date(first).setDate(first.getDate() + Math.round((index * step) / DAY));
      if (moment > told.until) break;
      const x = share(moment) * width;
      if (moment < told.since) continue;
      const isMidnight = step >= DAY || new Date(moment).getHours() + new Date(moment).getMinutes() === 0;
      const words = isMidnight ? dayName(moment) : clockTime(moment);
      const side = x < ROOM / 3 ? "start" : x > width - ROOM / 3 ? "end" : "middle";
      found.push([s("line", { class: "strip-tick", x1: x, x2: x, y1: HEIGHT - FOOT,
        y2: HEIGHT - FOOT + 4 }),
      s("text", { class: isMidnight ? "strip-label is-day" : "strip-label", x, y: HEIGHT - 4,
        "text-anchor": side }, words)]);
    }
    return found;
  }

  function place() {
    const now = within(at);
    line.style.setProperty("left", `${(share(now) * 100).toFixed(3)}%`);
    element.setAttribute("aria-valuemax", told.buckets.length);
    element.setAttribute("aria-valuenow", Math.round(share(now) * told.buckets.length));
  }

  function go(next, isOver) {
    at = within(next);
    place();
    onMove(at);
    if (isOver) onRest(at);
  }

  element.addEventListener("pointerdown", (event) => {
    if (!told || event.button > 1) return;
    event.preventDefault();
    element.focus({ preventScroll: true });
    element.setPointerCapture(event.pointerId);
    held = { from: momentAt(event), x: event.clientX, isWindow: event.shiftKey || event.button === 1 };
    if (!held.isWindow) go(held.from, false);
  });
  element.addEventListener("pointermove", (event) => {
    if (!held) return;
    const now = momentAt(event);
    if (!held.isWindow) go(now, false);
    else choose(held.from, now);
  });
  element.addEventListener("pointerup", (event) => {
    if (!held) return;
    const { from, x, isWindow } = held;
    const now = momentAt(event);
    held = null;
    chosen.hidden = true;
    if (!isWindow) go(now, true);
    else if (Math.abs(event.clientX - x) > CLICK) onWindow(Math.min(from, now), Math.max(from, now));
  });
  element.addEventListener("pointercancel", () => {
    held = null;
    chosen.hidden = true;
  });

  function choose(from, to) {
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    chosen.hidden = false;
    chosen.style.setProperty("left", `${share(first) * 100}%`);
    chosen.style.setProperty("width", `${(share(last) - share(first)) * 100}%`);
  }

  // By bars that have something, as there may be long quiet stretches between them.
  function step(way) {
    if (!told) return;
    const ends = told.buckets.filter(({ counts }) => total(counts))
      .map(({ at: start }) => Math.min(start + told.width - 1, told.until));
    const next = way > 0 ? ends.find((end) => end > at + 1) ?? told.until
      : ends.findLast((end) => end < at - 1) ?? told.since;
    go(next, true);
  }

  element.addEventListener("keydown", (event) => {
    if (!told || event.ctrlKey || event.metaKey || event.altKey) return;
    const does = {
      ArrowLeft: () => step(-1),
      ArrowDown: () => step(-1),
      ArrowRight: () => step(1),
      ArrowUp: () => step(1),
      PageDown: () => go(at - 10 * told.width, true),
      PageUp: () => go(at + 10 * told.width, true),
      Home: () => go(told.since, true),
      End: () => go(told.until, true),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  });

  return {
    element,
    step,
    show(next, { at: moment, kinds: some }) {
      told = next;
      kinds = some;
      if (!held) at = within(moment);
      draw();
    },
    say: (words) => element.setAttribute("aria-valuetext", words),
    destroy: () => size.disconnect(),
  };
}
