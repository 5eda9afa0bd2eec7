// Short notices at the foot of the page, with a way back where there is one. Each stays as long as
// it says, and longer while somebody points at it or has the focus in it.

import { h } from "./dom.js";
import { icon } from "./icons.js";

const USUAL = 5;

// Returns `toast(text, { action, onAction, onEnd, seconds, isProblem }) → { close(), drop() }`.
// `onEnd` is called once when it goes away without its action having been taken, unless it was
// dropped.
export function toaster(place) {
  const open = new Set();

  function toast(text, options = {}) {
    const { action, onAction, onEnd, isProblem = false, seconds = USUAL } = options;
    const held = new Set(); // by what: somebody may point at it and have the focus in it
    let timer = 0;
    let left = seconds * 1000;
    let since = 0;
    let isOver = false;

    const element = h("div", { class: isProblem ? "toast is-problem" : "toast",
        role: isProblem ? "alert" : "status" },
      h("span", { class: "toast-text" }, text),
      action && h("button", { class: "toast-action", type: "button", onclick: act }, action),
      h("button", { class: "toast-close", type: "button", onclick: close,
        "aria-label": "Dismiss" }, icon("close")),
      action && h("span", { class: "toast-time", "aria-hidden": "true",
        style: { "animation-duration": `${seconds}s` } }));
    const shown = { close, drop, act: action ? act : null };

    function go() {
      since = performance.now();
      timer = setTimeout(close, left);
    }

    function hold(by) {
      if (!held.size) {
        clearTimeout(timer);
        left = Math.max(left - (performance.now() - since), 1500);
      }
      held.add(by);
    }

    function free(by) {
      if (held.delete(by) && !held.size && !isOver) go();
    }

    function leave() {
      isOver = true;
      clearTimeout(timer);
      open.delete(shown);
      element.remove();
    }

    function act() {
      if (isOver) return;
      leave();
      onAction?.();
    }

    function close() {
      if (isOver) return;
      leave();
      onEnd?.();
    }

    function drop() {
      if (!isOver) leave();
    }

    element.addEventListener("pointerenter", () => hold("pointer"));
    element.addEventListener("focusin", () => hold("focus"));
    element.addEventListener("pointerleave", () => free("pointer"));
    element.addEventListener("focusout", () => free("focus"));
    open.add(shown);
    place.append(element);
    go();
    return shown;
  }

  // The newest that can be taken back is; says whether there was one.
  toast.undo = () => {
    const last = [...open].filter((each) => each.act).pop();
    last?.act();
    return Boolean(last);
  };

  // All end now, as when the page is left.
  toast.endAll = () => {
    for (const each of [...open]) each.close();
  };
  window.addEventListener("pagehide", toast.endAll);
  return toast;
}
