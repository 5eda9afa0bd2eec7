// The start of the page: its rail, which panel is shown, and the keys that work everywhere.

import { worker } from "./api.js";
import { letIn } from "./door.js";
import { fill, h, isTyping } from "./dom.js";
import { icon } from "./icons.js";
import { keep, kept } from "./keep.js";
import { liveStream } from "./live.js";
import { overviews } from "./overview.js";
import { addressState } from "./state.js";
import { toaster } from "./toast.js";
import { VIEWS, viewOf } from "./views.js";

const THEMES = [["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]];
const THEME_ICONS = { auto: "auto", light: "sun", dark: "moon" };
const CONNECTIONS = {
  connecting: "Connecting",
  open: "Live",
  lost: "The worker is away; trying again",
  resting: "Resting while unseen",
};

const place = document.getElementById("panel");
const said = document.getElementById("said");
const state = addressState();
const api = worker({ letIn });
const live = liveStream({ knock: () => api.get("/api/version") });
const toast = toaster(document.getElementById("toasts"));
const links = new Map();
let current = { view: null, panel: null };

const context = {
  api,
  live,
  toast,
  announce,
  get state() {
    return state.current;
  },
  go: state.go,
  href: state.href,
  overview: overviews(() => api.get("/api/viewer/overview")),
};

// Told to screen readers; the same words again are told again.
function announce(text) {
  said.textContent = "";
  requestAnimationFrame(() => {
    said.textContent = text;
  });
}

async function show(next) {
  const view = viewOf(next.view);
  if (current.view === view) {
    current.panel?.update(next);
    return;
  }
  const isFirst = current.view === null;
  current.panel?.unmount();
  current = { view, panel: null };
  for (const [id, link] of links) {
    if (id === view.id) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${view.title} · Recollect · CodexMem Viewer`;
  const root = h("div", { class: `view view-${view.id}` });
  fill(place, root);
  try {
    const { panel } = await view.load();
    if (current.view !== view) return;
    current.panel = panel.mount(root, context);
    current.panel.update(state.current);
  } catch (error) {
    if (current.view !== view) return;
    fill(root, h("div", { class: "empty" },
      h("h1", null, `${view.title} could not be shown`),
      h("p", { class: "problem", role: "alert" }, String(error?.message ?? error)),
      h("button", { class: "button", type: "button", onclick: () => location.reload() },
        "Load the page again")));
  }
  if (!isFirst) {
    place.focus({ preventScroll: true });
    announce(view.title);
  }
}

function rail() {
  const status = h("span", { class: "connection-text" });
  const connection = h("p", { class: "connection" }, h("span", { class: "connection-dot" }), status);
  const told = (now) => {
    connection.dataset.status = now;
    connection.title = CONNECTIONS[now];
    status.textContent = CONNECTIONS[now];
  };
  live.onStatus(told);
  told(live.status);
  return [
    h("a", { class: "wordmark", href: state.href({ view: "memory" }), onclick: led("memory") },
      h("img", { src: "/viewer/assets/mark.svg", alt: "", width: 24, height: 24 }),
      h("span", null, "Recollect")),
    h("nav", { class: "views", "aria-label": "Views" }, VIEWS.map(viewLink)),
    h("div", { class: "rail-foot" }, connection, themeButton(),
      h("button", { class: "icon-button", type: "button", onclick: showHelp,
        "aria-label": "Keyboard shortcuts", title: "Keyboard shortcuts (?)" }, icon("keys"))),
  ];
}

function viewLink({ id, title, short, key }) {
  const label = short
    ? [h("span", { class: "when-wide" }, title), h("span", { class: "when-narrow" }, short)]
    : h("span", null, title);
  return h("a", { class: "view-link", href: state.href({ view: id }), onclick: led(id),
    title: `${title} (${key})`, ref: (link) => links.set(id, link) }, icon(id), label);
}

// A plain click stays in the page; with a modifier the browser does what it does.
function led(view) {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    state.go({ view });
  };
}

function themeButton() {
  const button = h("button", { class: "icon-button", type: "button", onclick: turn });
  const shown = () => {
    const now = kept("theme", "auto");
    const [id, name] = THEMES.find(([each]) => each === now) ?? THEMES[0];
    if (id === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = id;
    button.setAttribute("aria-label", `Colours: ${name}`);
    button.title = `Colours: ${name}`;
    fill(button, icon(THEME_ICONS[id]));
  };
  function turn() {
    const at = THEMES.findIndex(([id]) => id === kept("theme", "auto"));
    const [id, name] = THEMES[(at + 1) % THEMES.length];
    keep("theme", id === "auto" ? null : id);
    shown();
    announce(`Colours: ${name}`);
    document.dispatchEvent(new Event("recolour")); // for drawings that hold colours
  }
  shown();
  return button;
}

const EVERYWHERE = [
  ["1 – 6", "go to a view"],
  ["/", "search"],
  ["u", "undo what was just done"],
  ["?", "these shortcuts"],
  ["Esc", "close, or go back"],
];

function showHelp() {
  if (document.querySelector("dialog[open]")) return;
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": "help-title",
      onclose: () => dialog.remove(),
      onclick: (event) => event.target === dialog && dialog.close() },
    h("form", { method: "dialog" },
      h("h2", { id: "help-title" }, "Keyboard"),
      keyTable("Everywhere", EVERYWHERE),
      current.panel?.help && keyTable(current.view.title, current.panel.help),
      h("label", { class: "check" },
        h("input", { type: "checkbox", checked: hasKeys(),
          onchange: (event) => keep("keys", event.target.checked ? null : "off") }),
        " Single keys do something"),
      h("div", { class: "dialog-foot" },
        h("button", { class: "button is-main", type: "submit" }, "Close"))));
  document.body.append(dialog);
  dialog.showModal();
}

function keyTable(title, rows) {
  return [h("h3", null, title),
    h("dl", { class: "keys" }, rows.map(([keys, does]) =>
      h("div", null, h("dt", null, keys.split(" / ").map((key, at) =>
        [at ? " or " : "", h("kbd", null, key)])), h("dd", null, does))))];
}

const hasKeys = () => kept("keys") !== "off";

function onKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  const isField = isTyping(event.target);
  if (event.key === "Escape") {
    if (current.panel?.keys?.Escape?.(event)) event.preventDefault();
    else if (isField) event.target.blur();
    return;
  }
  if (isField || !hasKeys()) return;
  const view = VIEWS.find(({ key }) => key === event.key);
  const does = current.panel?.keys?.[event.key]
    ?? (view ? () => state.go({ view: view.id }) : undefined)
    ?? { "?": showHelp, u: toast.undo, "/": () => state.go({ view: "memory" }) }[event.key];
  if (!does) return;
  event.preventDefault();
  does(event);
}

fill(document.getElementById("rail"), rail());
document.addEventListener("keydown", onKey);
state.subscribe(show);
show(state.current);
live.begin();
