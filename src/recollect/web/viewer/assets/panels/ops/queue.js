// The queue, as deep as it is right now: told by the stream, asked for when the panel opens.

import { fill, h } from "../../dom.js";
import { icon } from "../../icons.js";
import { count } from "../../time.js";

const COUNTERS = [["pending", "Pending"], ["processing", "Processing"], ["failed", "Failed"],
  ["queueDepth", "Queue depth"]];

export function queue({ live, api, retry }) {
  const values = new Map();
  const again = h("button", { class: "button", type: "button", hidden: true, onclick: () => retry() },
    icon("refresh"), "Try again");
  const wrong = h("p", { class: "problem", role: "alert" });
  const list = h("dl", { class: "ops-queue", "aria-label": "The queue" },
    COUNTERS.map(([name, title]) => h("div", { dataset: { counter: name } }, h("dt", null, title),
      h("dd", null, h("span", { class: "ops-count", ref: (value) => values.set(name, value) }, "–"),
        name === "failed" && again))));

  function told(depth) {
    for (const [name] of COUNTERS) {
      const number = depth[name] ?? 0;
      fill(values.get(name), count(number));
      values.get(name).closest("div").classList.toggle("is-some", number > 0);
    }
    again.hidden = !depth.failed;
  }

  const asked = async () => told(await api.get("/api/processing-status"));
  const stop = live.on("queue.depth", ({ facts }) => told(facts));
  const problem = (text) => {
    wrong.textContent = text ?? "";
  };
  return { element: h("div", null, list, wrong), problem, refresh: asked, destroy: stop };
}
