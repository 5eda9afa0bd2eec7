// Lists whose rows stay who they are while new ones arrive: what is open stays open, what has the
// focus keeps it.

import { h } from "../../dom.js";

// Brings `parent`'s children to be those of `items`, in their order. `key(item)` tells items apart;
// `make(item)` is called for new ones only.
export function keyed(parent, items, key, make) {
  const held = new Map([...parent.children].map((child) => [child.rowKey, child]));
  const seen = new Map();
  let next = parent.firstElementChild;
  for (const item of items) {
    const plain = key(item);
    const times = seen.get(plain) ?? 0;
    seen.set(plain, times + 1);
    const name = times ? `${plain}#${times}` : plain; // the same twice, in the same millisecond
    let row = held.get(name);
    held.delete(name);
    if (!row) {
      row = make(item);
      row.rowKey = name;
    }
    if (row === next) next = next.nextElementSibling;
    else parent.insertBefore(row, next);
  }
  for (const row of held.values()) row.remove();
}

// A row that opens: what is on it, and what is in it, made when it is first opened.
export function opening(summary, inside, props = {}) {
  const body = h("div", { class: "ops-inside" });
  return h("details", { class: "ops-row", ...props, ontoggle: (event) => {
    if (event.target.open && !body.firstChild) body.append(...[inside()].flat());
  } }, h("summary", null, summary), body);
}

// A card with a heading, something beside it, and a place for what is wrong.
export function card(title, { note, beside, wide = false } = {}, ...children) {
  const id = `ops-${title.toLowerCase().replaceAll(" ", "-")}`;
  const wrong = h("p", { class: "problem", role: "alert" });
  const element = h("section", { class: wide ? "card ops-card is-wide" : "card ops-card",
      "aria-labelledby": id },
    h("div", { class: "ops-card-head" }, h("h2", { id }, title),
      note && h("span", { class: "small soft" }, note), h("div", { class: "ops-beside" }, beside)),
    wrong, children);
  return { element, problem: (text) => {
    if (wrong.textContent !== (text ?? "")) wrong.textContent = text ?? "";
  } };
}

// Names and values, one beside the other.
export function pairs(entries) {
  return h("dl", { class: "ops-pairs" }, entries.filter(Boolean).map(([name, ...value]) =>
    h("div", null, h("dt", null, name), h("dd", null, value))));
}
