// Why a result is where it is: what spoke for it, as bars. The numbers are the worker's; nothing is
// counted here.

import { h, s } from "./dom.js";

const SIGNALS = {
  words: ["Words", "The question's words in the memory itself"],
  window: ["Nearby words", "The question's words in what came just before and after"],
  meaning: ["Meaning", "How near its meaning is to the question's"],
  answer: ["Answer", "What came before it is about the question"],
  session: ["Session", "How well the rest of its session answers"],
  substance: ["Substance", "It is long enough to say something"],
  speaker: ["Speaker", "The question names who said it"],
  time: ["Time", "The question asks when, and it says when"],
  recency: ["Recency", "How new it is"],
  kind_bonus: ["Kind", "What it is counts for something"],
};

const nameOf = (signal) => SIGNALS[signal]?.[0] ?? signal.replaceAll("_", " ");

// One small bar: all that spoke for it, beside each other, as long as it scored against `most`.
export function stacked(score, most) {
  const parts = counted(score);
  const total = parts.reduce((sum, [, value]) => sum + value, 0);
  if (score.total === null || !total) return null;
  const whole = 100 * Math.min(score.total / (most || score.total), 1);
  let x = 0;
  const bars = parts.map(([, value], at) => {
    const width = (whole * value) / total;
    const bar = s("rect", { x, y: 0, width: Math.max(width - 0.8, 0.4), height: 6, rx: 1,
      class: `score-part-${at % 3}` });
    x += width;
    return bar;
  });
  const said = parts.map(([signal, value]) => `${nameOf(signal)} ${rounded(value)}`).join(", ");
  return h("span", { class: "score", title: `${rounded(score.total)} = ${said}` },
    s("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" }, bars),
    h("span", null, h("span", { class: "unseen" }, "Score "), rounded(score.total)));
}

// All of it, named, for the memory in full.
export function explained(score) {
  const parts = Object.entries(score.components ?? {});
  if (!parts.length) return null;
  const most = Math.max(...parts.map(([, value]) => value ?? 0), 0.0001);
  return h("table", { class: "why" },
    h("caption", { class: "unseen" }, "What spoke for this result"),
    h("tbody", null, parts.map(([signal, value]) =>
      h("tr", { class: value ? null : "is-none" },
        h("th", { scope: "row", title: SIGNALS[signal]?.[1] }, nameOf(signal)),
        h("td", { class: "why-bar", "aria-hidden": "true" },
          h("span", { style: { width: `${(100 * Math.max(value ?? 0, 0)) / most}%` } })),
        h("td", { class: "number" }, value === null ? "not known" : rounded(value))))),
    h("tfoot", null, h("tr", null,
      h("th", { scope: "row" }, "Together"),
      h("td", null), h("td", { class: "number" }, rounded(score.total)))));
}

function counted(score) {
  return Object.entries(score.components ?? {}).filter(([, value]) => value > 0)
    .sort(([, one], [, other]) => other - one);
}

function rounded(number) {
  if (number === null || number === undefined) return "not known";
  if (number === 0) return "0";
  return Math.abs(number) < 0.01 ? number.toPrecision(1) : number.toFixed(2);
}
