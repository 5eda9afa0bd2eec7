// Elements as function calls. Text only ever becomes a text node: whatever a memory says, it
// cannot become an element, an attribute or a style. There is no way around it in this viewer;
// a unit test looks for one.

const SVG = "http://www.w3.org/2000/svg";

// h("button", { class: "quiet", onclick: f, "aria-label": "Pin" }, "Pin")
//
// Props: `class`; `dataset` and `style` as objects (styles are set one by one, which a strict
// Content-Security-Policy allows); `on…` listeners; `ref`, called with the element; booleans
// as empty attributes; null and undefined are left out. What has to be a property is one.
export function h(tag, props, ...children) {
  return filled(document.createElement(tag), props, children);
}

// The same for drawings.
export function s(tag, props, ...children) {
  return filled(document.createElementNS(SVG, tag), props, children);
}

// Replace what an element holds.
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
  return element;
}

// A text with the given words marked, whatever their case and their ending: "token" is found in
// "Tokens". Scripts that have no spaces have no endings either.
export function marked(text, words) {
  const wanted = [...new Set(words ?? [])].filter(Boolean).sort((a, b) => b.length - a.length);
  if (!wanted.length || !text) return [text ?? ""];
  const ending = "[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{M}\\d]*";
  const pattern = new RegExp(`(?:${wanted.map(escaped).join("|")})${ending}`, "giu");
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    if (!found[0]) continue;
    parts.push(text.slice(end, found.index), h("mark", null, found[0]));
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}

// The same where `what stands in such quotes` is code.
export function worded(text, words) {
  const parts = String(text ?? "").split(/`([^`\n]+)`/);
  return parts.map((part, at) => (at % 2 ? h("code", null, marked(part, words)) : marked(part, words)));
}

// Whether keys belong to a field right now.
export function isTyping(target) {
  return Boolean(target?.closest?.("input, textarea, select, [contenteditable]"));
}

const PROPERTIES = new Set(["value", "checked", "disabled", "selected", "indeterminate", "open"]);
const LINKS = new Set(["href", "src", "action", "formaction"]);

function filled(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined) continue;
    if (name === "ref") value(element);
    else if (name.startsWith("on")) {
      if (typeof value !== "function") throw new TypeError(`${name} takes a function`);
      element.addEventListener(name.slice(2), value);
    } else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "style") styled(element, value);
    else if (PROPERTIES.has(name)) element[name] = value;
    else if (name.startsWith("aria-")) element.setAttribute(name, String(value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) {
      element.setAttribute(name, LINKS.has(name) ? own(String(value)) : String(value));
    }
  }
  element.append(...nodes(children));
  // A select takes its value only once its options are there.
  if (props?.value !== undefined && element.tagName === "SELECT") element.value = props.value;
  return element;
}

function styled(element, rules) {
  for (const [name, value] of Object.entries(rules)) {
    if (value !== null && value !== undefined) element.style.setProperty(name, String(value));
  }
}

// Links go to this worker and to nothing else, whatever they were made of.
function own(address) {
  const url = new URL(address, location.href);
  const isOwn = url.origin === location.origin && url.protocol.startsWith("http");
  return isOwn ? address : "#";
}

function nodes(children) {
  return children.flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}

function escaped(word) {
  return word.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
