// Trends: what was searched, read and failed over time, and how long it took. Dragging looks closer,
// a click looks into one stretch: the lists below are then of that stretch alone.

import { lineChart } from "../../charts.js";
import { fill, h } from "../../dom.js";
import { icon } from "../../icons.js";
import { clockTime, count, counted, dayName, lasting } from "../../time.js";
import { USUAL_WINDOW, WINDOWS, chosenStretch, trendAsked } from "./asked.js";
import { card } from "./rows.js";

const COUNTS = [
  { name: "Searches", colour: "--kind-observation", of: "searchCount" },
  { name: "Messages read", colour: "--kind-summary", of: "queueCount" },
  { name: "Failures", colour: "--bad", of: "failureCount", isBars: true },
];
const TIMES = [
  { name: "A search takes", colour: "--kind-observation", of: "avgSearchMs", by: "searchCount" },
  { name: "A message takes", colour: "--kind-summary", of: "avgQueueTotalMs", by: "queueCount" },
];
const MANY_FAILURES = 3;
const LISTED = 10;

export function trends({ go, href, announce }) {
  let buckets = [];
  let pointed = null;
  const zoomed = (from, to) => go({ since: from, until: Math.min(to, Date.now()), bucket: null });
  const looked = (index) => {
    const { from, to } = buckets[index];
    go({ bucket: `${from}-${to}` });
    announce(`Looking into ${stretch(buckets[index])}`);
  };
  const shared = { sync: "operations", onRange: zoomed, onPoint: looked, onPlace: placed,
    told: (index) => words(buckets[index]) };
  const counts = lineChart({ ...shared, label: "Counts over time", lines: COUNTS, height: 190,
    tick: (value) => (Number.isInteger(value) ? count(value) : "") });
  const times = lineChart({ ...shared, label: "Durations over time", lines: TIMES, height: 120,
    tick: lasting });

  const windows = h("div", { class: "ops-windows", role: "group", "aria-label": "How far back" },
    WINDOWS.map(([seconds, name]) => h("button", { class: "button", type: "button",
      dataset: { seconds }, onclick: () => go({ since: null, until: null, bucket: null,
        window: seconds === USUAL_WINDOW ? null : seconds }) }, name)));
  const back = h("button", { class: "button is-quiet", type: "button", hidden: true,
    onclick: () => go({ since: null, until: null, bucket: null }) }, icon("back"), "Whole window");
  const legend = h("div", { class: "ops-legend" });
  const where = h("p", { class: "ops-where small soft" });
  const drilled = h("div", { class: "ops-drilled" });
  const alert = h("p", { class: "ops-alert", role: "status" });
  const list = h("tbody");
  const part = card("Trends", { wide: true, beside: [back, windows] },
    alert, legend, counts.element, times.element, where, drilled,
    h("details", { class: "ops-list" }, h("summary", null, "The last ten stretches as a table"),
      h("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "The last ten stretches" },
        h("table", { class: "table" },
          h("thead", null, h("tr", null, ["When", "Searches", "Each took", "Messages", "Each took",
            "Failures"].map((name, place) =>
            h("th", { class: place ? "number" : null, scope: "col" }, name)))),
          list))));

  const values = legendOf(COUNTS, counts).concat(legendOf(TIMES, times));
  fill(legend, values.map(({ element }) => element));

  function legendOf(lines, chart) {
    return lines.map((line, index) => {
      const value = h("span", { class: "ops-value" });
      const element = h("button", { class: "ops-line", type: "button", "aria-pressed": "true",
        title: "Show or hide this line", style: { "--line-colour": `var(${line.colour})` },
        dataset: { shape: lines === TIMES ? "time" : line.isBars ? "bar" : "line" },
        onclick: () => {
          const isShown = element.getAttribute("aria-pressed") !== "true";
          element.setAttribute("aria-pressed", isShown);
          chart.show(index, isShown);
        } }, h("span", { class: "ops-swatch" }), h("span", null, line.name), value);
      return { element, value, line };
    });
  }

  // The legend tells the place that is pointed at, else the whole.
  function placed(index) {
    pointed = index;
    const bucket = buckets[index] ?? null;
    const from = bucket ? [bucket] : buckets;
    for (const { value, line } of values) value.textContent = shownOf(line, from);
    where.textContent = bucket ? `${stretch(bucket)}. Click to look into it.`
      : "Drag over a stretch to look closer; click a point to look into it.";
  }

  function update(state) {
    const isOwn = Boolean(state.since || state.until);
    back.hidden = !isOwn;
    for (const button of windows.children) {
      const isUsed = !isOwn && button.dataset.seconds === (state.window ?? String(USUAL_WINDOW));
      button.setAttribute("aria-pressed", isUsed);
    }
    const chosen = chosenStretch(state);
    fill(drilled, chosen && h("button", { class: "chip", type: "button",
      onclick: () => go({ bucket: null }), "aria-label": "Clear drill-down" },
    `The lists below are of ${stretch({ from: chosen[0], to: chosen[1] })}`, icon("close")));
  }

  function refresh(told, state, now) {
    const { range, isCut } = trendAsked(state, now);
    buckets = told.buckets;
    const plotted = { times: buckets.map(({ from, to }) => (from + to) / 2), range,
      chosen: chosenStretch(state) };
    counts.set({ ...plotted, values: COUNTS.map(({ of }) => buckets.map((each) => each[of])) });
    times.set({ ...plotted, values: TIMES.map(({ of, by }) =>
      buckets.map((each) => (each[by] ? each[of] : null))) });
    placed(pointed);
    if (isCut) where.textContent = "These are the last 24 hours of what you chose; trends reach no further.";
    warned(buckets.filter(({ from }) => from <= now));
    fill(list, buckets.filter(({ from }) => from <= now).slice(-LISTED).reverse().map((bucket) =>
      h("tr", null,
        h("td", null, h("a", { href: href({ bucket: `${bucket.from}-${bucket.to}` }),
          onclick: (event) => {
            event.preventDefault();
            looked(buckets.indexOf(bucket));
          } }, stretch(bucket))),
        h("td", { class: "number" }, count(bucket.searchCount)),
        h("td", { class: "number" }, bucket.searchCount ? lasting(bucket.avgSearchMs) : "–"),
        h("td", { class: "number" }, count(bucket.queueCount)),
        h("td", { class: "number" }, bucket.queueCount ? lasting(bucket.avgQueueTotalMs) : "–"),
        h("td", { class: "number" }, count(bucket.failureCount)))));
  }

  // As loud as it is unusual: the last stretch against the mean of all.
  function warned(all) {
    const last = all.at(-1)?.failureCount ?? 0;
    const mean = all.reduce((sum, each) => sum + each.failureCount, 0) / Math.max(1, all.length);
    const isMany = last >= Math.max(MANY_FAILURES, 2 * mean);
    const text = isMany
      ? `${counted(last, "failure")} in the last stretch, where ${mean.toFixed(1)} are usual.` : "";
    if (alert.textContent !== text) alert.textContent = text;
  }

  return { element: part.element, problem: part.problem, update, refresh, destroy() {
    counts.destroy();
    times.destroy();
  } };
}

// How often in all, or how long on average.
function shownOf({ of, by }, buckets) {
  if (!by) return count(buckets.reduce((sum, each) => sum + each[of], 0));
  const number = buckets.reduce((sum, each) => sum + each[by], 0);
  const spent = buckets.reduce((sum, each) => sum + each[by] * each[of], 0);
  return number ? lasting(spent / number) : "–";
}

const isToday = (at) => new Date(at).toDateString() === new Date().toDateString();

// "14:05 to 14:06", with the day where it is another one, with seconds where it is short.
function stretch({ from, to }) {
  const clock = (at) => (to - from < 60_000
    ? `${clockTime(at)}:${String(new Date(at).getSeconds()).padStart(2, "0")}` : clockTime(at));
  return `${isToday(from) ? "" : `${dayName(from)}, `}${clock(from)} to ${clock(to)}`;
}

function words(bucket) {
  return `${stretch(bucket)}: ${counted(bucket.searchCount, "search", "searches")}, `
    + `${counted(bucket.queueCount, "message")}, ${counted(bucket.failureCount, "failure")}`;
}
