// What the next session would be told when it starts: the very text, and what it costs.

import { isAborted } from "../api.js";
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { calmly, projectField } from "../story.js";
import { count, counted } from "../time.js";

const NEWS = 1200;
const STARTS = [["startup", "a new session"], ["resume", "one that is resumed"],
  ["compact", "one that was compacted"], ["clear", "one that was cleared"]];

export function nextSession(context) {
  const project = projectField(context, { every: "The project worked in last" });
  const start = h("select", { class: "field", "aria-label": "How it starts",
    onchange: () => context.go({ source: start.value === "startup" ? null : start.value }) },
  STARTS.map(([id, name]) => h("option", { value: id }, name)));
  const cost = h("p", { class: "next-cost" });
  const because = h("p", { class: "small soft" });
  const text = h("pre", { class: "next-text", tabindex: 0, role: "region",
    "aria-label": "What the next session is told" });
  const copy = h("button", { class: "button", type: "button", onclick: copied }, icon("copy"), "Copy");
  const element = h("section", { class: "next", "aria-label": "The next session is told" },
    h("header", { class: "next-head" }, h("h2", null, "The next session is told"), copy),
    h("div", { class: "story-row" }, project.element, start),
    cost, because, text);
  let asking = null;
  let asked = null;
  let told = "";

  async function load() {
    asking?.abort();
    asking = new AbortController();
    const mine = asking;
    try {
      const answer = await context.api.get("/api/viewer/told", asked, { signal: mine.signal });
      if (mine !== asking) return;
      told = answer.text;
      copy.disabled = !told;
      fill(cost, h("strong", null, count(answer.tokens)), answer.tokens === 1 ? " token" : " tokens",
        h("span", { class: "soft" }, ` in ${counted(answer.lines, "line")}, for `,
          h("strong", null, answer.project)));
      fill(because, `Because ${answer.because}.`);
      if (text.textContent !== told) fill(text, told);
      text.hidden = !told;
    } catch (error) {
      if (mine !== asking || isAborted(error)) return;
      fill(because, error.message);
    }
  }

  async function copied() {
    try {
      await navigator.clipboard.writeText(told);
      context.toast("Copied");
    } catch {
      // No clipboard for pages of this kind: the text is chosen, so that a key can copy it.
      getSelection().selectAllChildren(text);
      context.toast("It is chosen now: copy it with your keyboard");
    }
  }

  const refresh = calmly(load, NEWS);

  return {
    element,
    refresh,
    update(state) {
      const next = { project: state.project, source: state.source };
      project.show();
      start.value = state.source ?? "startup";
      if (!asked || asked.project !== next.project || asked.source !== next.source) {
        asked = next;
        load();
      }
    },
    unmount() {
      refresh.stop();
      asking?.abort();
    },
  };
}
