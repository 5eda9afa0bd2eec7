// A memory in a list, as any panel shows it, and the words for what it is.

import { h, marked, worded } from "./dom.js";
import { icon } from "./icons.js";
import { stacked } from "./score.js";
import { ago, clockTime, dayName, fully } from "./time.js";

const LONGEST_HEADLINE = 180;

export const KINDS = {
  observation: "Observation",
  prompt: "Prompt",
  summary: "Summary",
  note: "Note",
  fact: "Fact",
  frame: "Frame",
  thought: "Thought",
  lifecycle: "Session event",
};

export const ORIGINS = {
  user: "you",
  assistant: "the agent",
  tool: "a tool",
  web: "the web",
  import: "an import",
};

// "file_edit" → "file edit".
export const spoken = (type) => String(type ?? "").replaceAll("_", " ");

// The kind, and the type where it says more.
export function kindText({ kind, type }) {
  const name = KINDS[kind] ?? spoken(kind);
  const more = spoken(type);
  const isSaid = !more || more.includes(name.toLowerCase()) || name.toLowerCase().includes(more);
  return isSaid ? name : `${name}, ${more}`;
}

// What a memory is called: its title, else its first line.
export function headline({ title, text, kind, type }) {
  if (title) return title;
  const [line] = String(text ?? "").trim().split("\n", 1);
  if (kind === "lifecycle") return line ? `${spoken(type)}: ${line}` : spoken(type);
  return line.length > LONGEST_HEADLINE ? `${line.slice(0, LONGEST_HEADLINE)}…` : line || "Untitled";
}

// What its text says beyond the headline.
export function beyond(item) {
  const text = String(item.text ?? "").trim();
  const named = headline(item).replace(/…$/, "");
  const rest = text.startsWith(named) ? text.slice(named.length).trim() : text;
  return item.is_cut && rest ? `${rest}…` : rest;
}

// `href`: where it is shown in full; `onOpen(event)`: instead, for a plain click. `day`: whether it
// is the first of its day. `isDated`: such days are told, so that a time of day will do. `most`: the
// best score of the list.
export function itemRow(item, options) {
  const { href, onOpen, day = false, isDated = false, most = 0, isChosen = false } = options;
  const terms = item.score?.terms;
  const rest = beyond(item);
  return h("div", { class: "item-block" },
    day && h("h2", { class: "day" }, dayName(item.created_at)),
    h("div", { class: itemClass(item, isChosen), dataset: { kind: item.kind } },
      h("div", { class: "item-head" },
        h("span", { class: "kind item-kind" }, kindText(item)),
        item.is_pinned && h("span", { class: "badge", title: "Pinned: kept through every sweep" },
          icon("pin"), "Pinned"),
        item.is_outdated && h("span", { class: "badge is-outdated" }, icon("outdated"), "Outdated"),
        h("time", { class: "item-time", datetime: new Date(item.created_at).toISOString(),
          title: fully(item.created_at) }, when(item.created_at, isDated))),
      h("a", { class: "item-title", href, tabindex: -1, onclick: plainly(onOpen) },
        worded(headline(item), terms)),
      rest && h("p", { class: "item-text" }, marked(rest, terms)),
      h("p", { class: "item-foot" },
        h("span", null, item.project),
        item.file && h("span", { class: "mono item-file", title: item.file }, shortPath(item.file)),
        item.score && stacked(item.score, most))));
}

function when(at, isDated) {
  return isDated && dayName(at) !== "Today" ? clockTime(at) : ago(at);
}

// The end of a path, which tells more than its beginning; the whole is in its title.
export function shortPath(path) {
  const parts = String(path).split("/").filter(Boolean);
  return parts.length > 3 ? `…/${parts.slice(-3).join("/")}` : path;
}

// Plain clicks only: with a modifier the browser opens the address as it is asked to.
export function plainly(handler) {
  return handler && ((event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
    event.preventDefault();
    handler(event);
  });
}

function itemClass(item, isChosen) {
  return ["item", isChosen && "is-chosen", item.is_outdated && "is-outdated"]
    .filter(Boolean).join(" ");
}
