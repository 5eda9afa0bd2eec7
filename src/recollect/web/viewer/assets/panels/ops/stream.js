// The stream of events as it comes: the newest above, so many characters of it, and a way to hold
// it still for reading.

import { h } from "../../dom.js";
import { secondly } from "../../time.js";
import { card } from "./rows.js";

const MOST = 16_000; // characters

export function stream(live) {
  const list = h("ol", { class: "ops-stream", tabindex: 0, "aria-label": "Events, the newest first" });
  const none = h("p", { class: "ops-none soft" },
    "Quiet so far. Whatever a hook sends from now on shows here.");
  const pause = h("button", { class: "button is-quiet", type: "button", "aria-pressed": "false",
    onclick: held }, "Pause");
  const clear = h("button", { class: "button is-quiet", type: "button", onclick: () => {
    list.replaceChildren();
    kept = [];
    none.hidden = false;
  } }, "Clear");
  const part = card("Event stream", { beside: [pause, clear] }, none, list);
  let kept = []; // sizes, the newest first
  let waiting = [];
  let isHeld = false;

  const stop = live.on("*", (notice) => {
    if (!isHeld) return shown([notice]);
    waiting = [...waiting, notice].slice(-200);
    pause.textContent = `Go on (${waiting.length})`;
    return undefined;
  });

  function held() {
    isHeld = !isHeld;
    pause.setAttribute("aria-pressed", isHeld);
    pause.textContent = isHeld ? "Go on" : "Pause";
    if (isHeld) return;
    shown(waiting);
    waiting = [];
  }

  function shown(notices) {
    for (const { topic, at, facts } of notices) {
      const { ts, type, ...rest } = facts;
      const text = Object.entries(rest).map(([name, value]) => `${name} ${said(value)}`).join(" · ");
      list.prepend(h("li", { dataset: { topic } },
        h("time", { datetime: new Date(at).toISOString() }, secondly(at)),
        h("span", { class: "ops-topic" }, topic), h("span", { class: "ops-facts" }, text)));
      kept = [topic.length + text.length + 8, ...kept];
    }
    let size = 0;
    kept = kept.filter((each) => (size += each) <= MOST);
    while (list.children.length > Math.max(1, kept.length)) list.lastElementChild.remove();
    none.hidden = Boolean(list.firstElementChild);
  }

  return { element: part.element, pause: () => pause.click(), destroy: stop };
}

const said = (value) => (typeof value === "string" ? value : JSON.stringify(value));
