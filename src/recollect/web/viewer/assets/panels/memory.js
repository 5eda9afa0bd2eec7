// The memory panel: search, filters, results, and one of them in full beside.

import { h } from "../dom.js";

export const panel = {
  id: "memory",
  title: "Memory",
  key: "1",
  mount(root) {
    root.append(h("div", { class: "page" }, h("h1", null, "Memory")));
    return { update() {}, unmount() {} };
  },
};
