// Lines over time, drawn by uPlot: drag to look closer, click a point to look into it, arrows to
// walk along. What a line says at a place is told in words by whoever made the chart.

import { h } from "./dom.js";
import { clockTime, dayName } from "./time.js";

const SCRIPT = "/viewer/assets/vendor/uplot/uplot.js";
const SHEET = "/viewer/assets/vendor/uplot/uplot.css";
const LEAST_DRAG = 8; // pixels; less was meant as a click
let loading = null;

// uPlot, brought in when the first chart is drawn.
export function plotter() {
  loading ??= new Promise((resolve, reject) => {
    document.head.append(h("link", { rel: "stylesheet", href: SHEET }));
    document.head.append(h("script", {
      src: SCRIPT,
      onload: () => resolve(globalThis.uPlot),
      onerror: () => {
        loading = null;
        reject(new Error("The charts could not be loaded."));
      },
    }));
  });
  return loading;
}

// `lines`: [{ name, colour, isBars, format }], the colour as the name of a CSS variable.
// `onRange(from, to)`: that stretch was dragged over. `onPoint(index)`: this place was chosen.
// `onPlace(index)`: somebody points there, or walked there; null when they left. `told(index)`: what
// is there, in words. Charts with the same `sync` point at the same moment.
export function lineChart({ label, lines, height, tick, onRange, onPoint, onPlace, told, sync }) {
  const element = h("div", { class: "chart", tabindex: 0, role: "slider", "aria-label": label,
    "aria-orientation": "horizontal", "aria-valuemin": 0, onkeydown: onKey,
    style: { "min-height": `${height}px` } });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const sizes = new ResizeObserver(() => fitted());
  let data = { times: [], values: lines.map(() => []), edges: [], chosen: null };
  let shown = lines.map(() => true);
  let plot = null;
  let at = null;
  let isOver = false;

  function drawn() {
    if (isOver || !globalThis.uPlot) return;
    plot?.destroy();
    plot = new globalThis.uPlot(options(), columns(), element);
    plot.over.addEventListener("click", () => at !== null && onPoint?.(at));
    lines.forEach((_, index) => plot.setSeries(index + 1, { show: shown[index] }));
  }

  const columns = () => [data.times, ...data.values];

  function fitted() {
    const width = element.clientWidth;
    if (plot && width && width !== plot.width) plot.setSize({ width, height });
  }

  function options() {
    const ink = colourOf("--ink-soft");
    const line = colourOf("--line");
    const font = `11px ${getComputedStyle(element).fontFamily}`;
    const axis = { stroke: ink, font, ticks: { stroke: line, size: 4 }, gap: 4,
      grid: { stroke: line, width: 1 } };
    return {
      width: element.clientWidth || 600,
      height,
      ms: 1,
      legend: { show: false },
      padding: [8, 18, 0, 0],
      scales: {
        x: { time: true, range: () => data.range ?? [0, 1] },
        y: { range: (_, __, most) => [0, Math.max(most ? most * 1.1 : 0, 4)] },
      },
      axes: [
        { ...axis, grid: { show: false }, space: 64, size: 28,
          values: (_, splits) => splits.map((moment, index) => clockOf(moment, splits, index)) },
        { ...axis, size: 52, space: 28, values: (_, splits) => splits.map(tick) },
      ],
      series: [{}, ...lines.map(series)],
      cursor: {
        y: false,
        drag: { x: true, y: false, setScale: false },
        points: { size: (_, place) => (lines[place - 1]?.isBars ? 0 : 7) },
        sync: sync ? { key: sync, setSeries: false } : undefined,
      },
      select: { show: true },
      hooks: { setSelect: [dragged], setCursor: [pointed], drawClear: [chosenBelow] },
    };
  }

  function series({ name, colour, isBars }) {
    const stroke = colourOf(colour);
    const paths = isBars ? globalThis.uPlot.paths.bars({ size: [0.7, 14] }) : undefined;
    return {
      label: name, stroke, width: isBars ? 0 : 1.75, paths, spanGaps: true,
      fill: isBars ? stroke : stroke.replace("rgb(", "rgba(").replace(")", ", 0.1)"),
      points: { show: !isBars, size: 5, fill: stroke, stroke,
        filter: (self, index) => busy(self.data[index]) },
    };
  }

  // Only where something happened is there a point to click.
  function busy(values) {
    return values.length > 400 ? [] : [...values.keys()].filter((place) => values[place]);
  }

  function dragged(self) {
    const { left, width } = self.select;
    if (width >= LEAST_DRAG) {
      onRange?.(Math.round(self.posToVal(left, "x")), Math.round(self.posToVal(left + width, "x")));
    }
    if (width) self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  function pointed(self) {
    const place = self.cursor.left < 0 || self.cursor.idx === undefined ? null : self.cursor.idx;
    if (place === at) return;
    at = place;
    placed();
  }

  function placed() {
    if (at !== null) {
      element.setAttribute("aria-valuenow", at);
      element.setAttribute("aria-valuetext", told(at));
    }
    onPlace?.(at);
  }

  // The stretch that was looked into, behind the lines.
  function chosenBelow(self) {
    if (!data.chosen) return;
    const [from, to] = data.chosen.map((moment) => self.valToPos(moment, "x", true));
    const { left, top, width, height: tall } = self.bbox;
    const start = Math.max(from, left);
    const end = Math.min(Math.max(to, from + 3), left + width);
    if (end <= start) return;
    self.ctx.fillStyle = colourOf("--accent-soft");
    self.ctx.fillRect(start, top, end - start, tall);
  }

  function onKey(event) {
    const last = data.times.length - 1;
    if (last < 0 || !plot || event.ctrlKey || event.metaKey || event.altKey) return;
    const from = at ?? last;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -10,
      PageUp: 10, Home: -last, End: last }[event.key];
    if (step !== undefined) walk(at === null ? last : from + step);
    else if (event.key === "Enter" && at !== null) onPoint?.(at);
    else if (event.key === "+") nearer(from, 0.5);
    else if (event.key === "-") nearer(from, 2);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function walk(to) {
    const place = Math.max(0, Math.min(data.times.length - 1, to));
    plot.setCursor({ left: plot.valToPos(data.times[place], "x"), top: 0 });
  }

  function nearer(place, times) {
    const [from, to] = data.range;
    const middle = data.times[place];
    const half = ((to - from) * times) / 2;
    onRange?.(Math.round(middle - half), Math.round(middle + half));
  }

  dark.addEventListener("change", drawn);
  document.addEventListener("recolour", drawn);
  sizes.observe(element);
  plotter().then(drawn, (error) => element.replaceChildren(h("p", { class: "problem" }, error.message)));

  return {
    element,
    // `times`: where each place is; `values`: one list for each line; `range`: from when to when;
    // `chosen`: the stretch that is looked into, or null.
    set(next) {
      data = next;
      element.setAttribute("aria-valuemax", Math.max(0, data.times.length - 1));
      if (at !== null && at >= data.times.length) at = null;
      element.setAttribute("aria-valuenow", at ?? Math.max(0, data.times.length - 1));
      element.setAttribute("aria-valuetext",
        data.times.length ? told(at ?? data.times.length - 1) : "nothing to show yet");
      plot?.setData(columns());
    },
    show(index, isShown) {
      shown = shown.with(index, isShown);
      plot?.setSeries(index + 1, { show: isShown });
    },
    destroy() {
      isOver = true;
      sizes.disconnect();
      dark.removeEventListener("change", drawn);
      document.removeEventListener("recolour", drawn);
      plot?.destroy();
    },
  };
}

// A moment on the axis; where a day begins, or nothing but days is shown, its name.
function clockOf(moment, splits, index) {
  const isNewDay = index > 0 && new Date(moment).getDate() !== new Date(splits[index - 1]).getDate();
  return isNewDay ? dayName(moment) : clockTime(moment);
}

// A colour as a canvas takes it: what light-dark() comes to is known to elements only.
function colourOf(name) {
  const probe = h("span", { style: { color: `var(${name})` }, hidden: true });
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}
