// A neighbourhood of modules as a drawing: an arrow says that one may call another, a broken one that
// it must not. The same is told in words below, for whoever cannot or does not want to read arrows.
// Where everything stands is in atlas.js.

import { h, s } from "../dom.js";
import { HEIGHT, labelOf, layout } from "./atlas.js";

let drawings = 0;

export function neighbourhood(atlas, { onModule }) {
  const named = new Set(atlas.modules.map(({ id }) => id));
  const unknown = (atlas.unknown ?? []).filter((id) => !named.has(id)).map((id) => ({ id }));
  const modules = [...atlas.modules, ...unknown];
  if (!modules.length) return h("p", { class: "soft small" }, "It names no module.");
  const edges = atlas.edges.filter(({ from, to }) => named.has(from) && named.has(to));
  const { boxes, ways, width, height } = layout(modules.map(({ id }) => id), edges);
  const seeds = new Set(atlas.seeds);
  drawings += 1;
  const name = `atlas-${drawings}`;
  const arrows = new Map();
  const nodes = new Map();

  for (const edge of edges) {
    const way = edge.allowed === false ? "never" : "call";
    arrows.set(edge, s("path", { class: `arrow is-${way}`, d: ways.get(edge) ?? "",
      "marker-end": `url(#${name}-${way})` }, s("title", null, inWords(edge))));
  }
  for (const module of modules) {
    const box = boxes.get(module.id);
    const told = [module.id, module.description ?? module.notes].filter(Boolean).join("\n");
    nodes.set(module.id, s("g", { class: seeds.has(module.id) ? "module is-seed" : "module",
      role: "button", tabindex: 0, "aria-label": `${module.id}: frames about it`,
      onpointerenter: () => lit(module.id), onpointerleave: () => lit(null),
      onfocus: () => lit(module.id), onblur: () => lit(null),
      onclick: () => onModule(module.id),
      onkeydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onModule(module.id);
      } },
    s("title", null, told),
    s("rect", { x: box.left, y: box.top, width: box.width, height: HEIGHT, rx: 7 }),
    s("text", { x: box.left + box.width / 2, y: box.top + HEIGHT / 2 + 4, "text-anchor": "middle" },
      labelOf(module.id))));
  }

  // What a module has to do with stays; the rest steps back.
  function lit(module) {
    const near = new Set([module]);
    for (const [edge, arrow] of arrows) {
      const isNear = module === null || edge.from === module || edge.to === module;
      arrow.classList.toggle("is-far", !isNear);
      if (isNear) near.add(edge.from).add(edge.to);
    }
    for (const [each, node] of nodes) node.classList.toggle("is-far", module !== null && !near.has(each));
  }

  const drawing = s("svg", { class: "atlas", role: "group", width, height,
    viewBox: `0 0 ${width} ${height}`, "aria-label": "Modules and who may call whom" },
  s("defs", null, ["call", "never"].map((way) => head(`${name}-${way}`, way))),
  [...arrows.values()], [...nodes.values()]);
  return [
    h("div", { class: "atlas-place", tabindex: 0, role: "region", "aria-label": "The drawing" }, drawing),
    edges.length > 0 && h("p", { class: "atlas-legend small soft" },
      h("span", { class: "legend-line is-call" }), "may call",
      h("span", { class: "legend-line is-never" }), "must not call"),
    edges.length > 0 && h("details", { class: "atlas-words" },
      h("summary", null, "In words"),
      h("ul", null, edges.map((edge) => h("li", null, inWords(edge))))),
  ];
}

function inWords({ from, to, allowed, reason }) {
  const may = allowed === false ? "must not call" : allowed === true ? "may call" : "calls";
  return `${from} ${may} ${to}${reason ? ` (${reason.replaceAll("_", " ")})` : ""}`;
}

function head(id, way) {
  return s("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7,
    orient: "auto" }, s("path", { class: `arrow-head is-${way}`, d: "M 0 0 L 8 4 L 0 8 z" }));
}
