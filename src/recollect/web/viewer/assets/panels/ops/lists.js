// The lists below the trends: searches, how long messages took, what failed. Each opens row by row,
// and can be taken along as a file with the same filters.

import { fill, h } from "../../dom.js";
import { icon } from "../../icons.js";
import { count, counted, fully, lasting, secondly } from "../../time.js";
import { failureQuery, timingQuery, traceQuery } from "./asked.js";
import { card, keyed, opening, pairs } from "./rows.js";

export const FEW = 10;
const MORE = { traces: 200, timings: 200, failures: 200 };
const PARTS = [["queueWaitMs", "waited", "wait"], ["modelMs", "read", "model"],
  ["indexMs", "indexed", "index"], ["otherMs", "stored", "other"]];

export function searches({ href }) {
  const list = h("div", { class: "ops-rows" });
  const part = listCard("Searches", "/api/ops/search-traces", traceQuery, MORE.traces, list);
  const empty = h("p", { class: "ops-none soft" });

  return { ...part, path: "/api/ops/search-traces", refresh(told, state) {
    part.counted(told.traces.length, told.total);
    keyed(list, told.traces, (each) => `${each.ts} ${each.query}`, trace);
    empty.textContent = isAsked(state, ["q", "project", "mode"]) ? "No search matches these filters."
      : "Nobody has searched yet. An agent's searches are told here, and yours in Memory.";
    part.none(told.traces.length ? null : empty);
  } };

  function trace(told) {
    const found = sum(told.resultCounts);
    return opening([
      when(told.ts),
      h("span", { class: told.query ? "ops-main" : "ops-main faint" }, told.query || "(no words)"),
      h("span", { class: "ops-side" }, told.mode === "hybrid" ? "hybrid" : "words"),
      h("span", { class: "ops-side" }, `${count(found)} found`),
      h("span", { class: "ops-took" }, lasting(told.durationMs)),
    ], () => pairs([
      ["Query", h("span", { class: "ops-whole" }, told.query || "(no words)")],
      ["When", fully(Date.parse(told.ts))],
      ["Project", told.project ?? "all"],
      ["Mode", told.mode],
      told.limit !== undefined && ["Asked for", `${told.limit}, after ${told.offset ?? 0}`,
        told.orderBy ? `, by ${told.orderBy}` : ""],
      told.lexicalCounts && ["By words", kinds(told.lexicalCounts)],
      told.vectorHits && ["By meaning", `${count(told.vectorHits.sqliteObservations)} from the store, `
        + `${count(sum(told.vectorHits) - told.vectorHits.sqliteObservations)} from Chroma`],
      told.resultCounts && ["Told", kinds(told.resultCounts)],
      ["Took", `${told.durationMs} ms`],
      ["Again", h("a", { href: href({ view: "memory", q: told.query, project: told.project ?? null }) },
        "Search for it in Memory")],
    ]));
  }
}

export function timings({ go }) {
  const list = h("div", { class: "ops-rows" });
  const means = h("div", { class: "ops-means" });
  const part = listCard("Session timings", "/api/ops/session-timings", timingQuery, MORE.timings,
    means, list);
  const empty = h("p", { class: "ops-none soft" },
    "No message has been read in this stretch. Each hook of a client sends some.");

  return { ...part, path: "/api/ops/session-timings", refresh(told) {
    const { aggregate } = told;
    part.counted(told.timings.length, aggregate.count);
    const mean = { queueWaitMs: aggregate.avgQueueWaitMs, modelMs: aggregate.avgModelMs,
      indexMs: aggregate.avgIndexMs, totalMs: aggregate.avgTotalMs };
    fill(means, aggregate.count ? [
      h("p", { class: "small" }, `${counted(aggregate.count, "message")}, `
        + `${count(aggregate.successCount)} of them well. On average:`),
      bar(mean, mean.queueWaitMs + mean.totalMs),
      h("ul", { class: "ops-parts" }, PARTS.map(([name, title, hue]) =>
        h("li", { dataset: { part: hue } }, `${title} ${lasting(split(mean)[name])}`))),
    ] : "");
    keyed(list, told.timings, (each) => each.messageId + each.ts, timing);
    part.none(told.timings.length ? null : empty);
  } };

  function timing(told) {
    const parts = split(told);
    return opening([
      when(told.ts),
      h("span", { class: "ops-main" }, bar(told, told.queueWaitMs + told.totalMs)),
      h("span", { class: "ops-side" }, `session ${told.sessionDbId}`),
      !told.success && h("span", { class: "ops-bad" }, "failed"),
      h("span", { class: "ops-took" }, lasting(told.queueWaitMs + told.totalMs)),
    ], () => pairs([
      ["When", fully(Date.parse(told.ts))],
      ["Message", `${told.messageId}, ${told.messageType}`],
      ["Session", sessionButton(told.sessionDbId, go)],
      ...PARTS.map(([name, title]) => [`It ${title === "waited" ? "waited" : `was ${title}`}`,
        `${count(parts[name])} ms`]),
      ["Ended", told.success ? "well" : "in a failure"],
    ]));
  }
}

export function failures({ go, retry, onClasses }) {
  const list = h("div", { class: "ops-rows" });
  const classes = h("div", { class: "ops-chips", role: "group", "aria-label": "Failure classes" });
  const part = listCard("Failures", "/api/ops/failure-summary", failureQuery, MORE.failures, classes, list);
  const empty = h("p", { class: "ops-none soft" });

  return { ...part, path: "/api/ops/failure-summary", refresh({ summary, recent }, state) {
    part.counted(recent.length, summary.total);
    onClasses(summary.classes.map(({ errorClass }) => errorClass));
    fill(classes, summary.classes.map(({ errorClass, count: number }) => h("button", { class: "chip",
      type: "button", "aria-pressed": state.class === errorClass,
      title: state.class === errorClass ? "Show all classes" : "Show only this class",
      onclick: () => go({ class: state.class === errorClass ? null : errorClass }) },
    `${errorClass} `, h("strong", null, count(number)))));
    keyed(list, recent, (each) => each.ts + each.messageId, failure);
    empty.textContent = isAsked(state, ["session", "class"])
      ? "No failure matches these filters." : "Nothing has failed.";
    part.none(recent.length ? null : empty);
  } };

  function failure(told) {
    return opening([
      when(told.ts),
      h("span", { class: "ops-bad" }, told.errorClass),
      h("span", { class: "ops-main" }, told.error || "(no words)"),
    ], () => [
      h("pre", { class: "ops-error", tabindex: 0 }, told.error),
      pairs([["When", fully(Date.parse(told.ts))],
        ["Message", `${told.messageId}, ${told.messageType}`],
        ["Session", sessionButton(told.sessionDbId, go)]]),
      h("button", { class: "button", type: "button", onclick: () => retry(told.sessionDbId) },
        icon("refresh"), `Try session ${told.sessionDbId} again`),
    ]);
  }
}

// Whether a filter is the reason that nothing is shown.
function isAsked(state, names) {
  return [...names, "since", "until", "bucket"].some((name) => state[name]);
}

// A card with its exports, and a way to see more than the first few.
function listCard(title, path, query, most, ...children) {
  const links = ["csv", "ndjson"].map((format) => [format, h("a", { class: "button is-quiet",
    download: "", "aria-label": `Export ${title} ${format.toUpperCase()}` },
  icon("export"), format.toUpperCase())]);
  const number = h("span", { class: "small soft" });
  const more = h("button", { class: "button is-quiet ops-more", type: "button", hidden: true });
  const none = h("div", { class: "ops-empty" });
  let limit = FEW;
  const part = card(title, { note: number, beside: links.map(([, link]) => link) },
    children, none, more);
  return {
    element: part.element,
    problem: part.problem,
    query: (state) => ({ ...query(state), limit }),
    update(state, api) {
      for (const [format, link] of links) link.href = api.url(`${path}/export`, { format, ...query(state) });
    },
    onMore(again) {
      more.onclick = () => {
        limit = limit === FEW ? most : FEW;
        again();
      };
    },
    counted(shown, total) {
      number.textContent = total > shown ? `${count(shown)} of ${count(total)}` : total ? count(total) : "";
      more.hidden = total <= FEW;
      more.textContent = limit === FEW ? "Show more" : "Show fewer";
    },
    none(element) {
      fill(none, element);
    },
  };
}

function when(ts) {
  const at = Date.parse(ts);
  return h("time", { class: "ops-when", datetime: ts, title: fully(at) }, secondly(at));
}

// How long each part took, as widths of a whole.
function bar(told, whole) {
  const parts = split(told);
  const text = PARTS.map(([name, title]) => `${title} ${lasting(parts[name])}`).join(", ");
  return h("span", { class: "ops-bar", role: "img", "aria-label": text, title: text },
    PARTS.map(([name, , hue]) => parts[name] > 0 && h("span", { dataset: { part: hue },
      style: { "flex-grow": Math.max(parts[name] / Math.max(whole, 1), 0.01) } })));
}

function split(told) {
  const other = told.totalMs - told.modelMs - told.indexMs;
  return { ...told, otherMs: Math.max(0, other) };
}

function sessionButton(number, go) {
  return [String(number), " ", h("button", { class: "chip", type: "button",
    onclick: () => go({ session: number }) }, "only this one"), " ",
  h("button", { class: "chip", type: "button",
    onclick: () => go({ view: "sessions", session: number }) }, "what happened in it")];
}

function kinds({ observations, sessions, prompts }) {
  return [counted(observations, "observation"), counted(sessions, "summary", "summaries"),
    counted(prompts, "prompt")].join(", ");
}

const sum = (counts) => Object.values(counts ?? {}).reduce((total, each) => total + each, 0);
