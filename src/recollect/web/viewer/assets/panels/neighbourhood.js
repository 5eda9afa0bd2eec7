// A neighbourhood of modules as a drawing: who calls stands above whom it calls, as in `recollect
// lex atlas --svg`; an arrow says that it may, a broken one that it must not. The same is told in
// words below, for whoever cannot or does not want to read arrows.

import { h, s } from "../dom.js";

const LETTER = 7.3;
const HEIGHT = 36;
const PADDING = 14;
const ACROSS = 28;
const DOWN = 66;
const MARGIN = 14;
const LABEL = 30;
const IN_ROW = 5;

let drawings = 0;

export function neighbourhood(atlas, { onModule }) {
  const named = new Set(atlas.modules.map(({ id }) => id));
  const unknown = (atlas.unknown ?? []).filter((id) => !named.has(id)).map((id) => ({ id }));
  const modules = [...atlas.modules, ...unknown];
  if (!modules.length) return h("p", { class: "soft small" }, "It names no module.");
  const edges = atlas.edges.filter(({ from, to }) => named.has(from) && named.has(to));
  const { boxes, width, height } = placed(rows(modules, edges), edges);
  const seeds = new Set(atlas.seeds);
  drawings += 1;
  const id = `atlas-${drawings}`;
  const arrows = new Map();
  const nodes = new Map();

  for (const edge of edges) {
    const way = edge.allowed === false ? "never" : "call";
    arrows.set(edge, s("path", { class: `arrow is-${way}`, d: path(boxes.get(edge.from),
      boxes.get(edge.to)), "marker-end": `url(#${id}-${way})` }, s("title", null, inWords(edge))));
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
      label(module.id))));
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
  s("defs", null, ["call", "never"].map((way) => head(`${id}-${way}`, way))),
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

// How far below its first caller each module stands; a circle begins where it has the fewest callers.
function rows(modules, edges) {
  const callers = new Map(modules.map(({ id }) => [id, []]));
  for (const { from, to } of edges) if (from !== to) callers.get(to).push(from);
  const waiting = new Map([...callers].map(([id, some]) => [id, new Set(some)]));
  const depths = new Map();
  while (waiting.size) {
    let free = [...waiting.keys()].filter((id) => !waiting.get(id).size);
    if (!free.length) {
      free = [[...waiting.keys()].reduce((one, other) =>
        (waiting.get(other).size < waiting.get(one).size ? other : one))];
    }
    for (const id of free) {
      const above = callers.get(id).map((each) => depths.get(each)).filter((each) => each !== undefined);
      depths.set(id, Math.max(-1, ...above) + 1);
    }
    for (const id of free) waiting.delete(id);
    for (const left of waiting.values()) for (const id of free) left.delete(id);
  }
  const found = [];
  const places = new Map();
  for (const depth of [...new Set(depths.values())].sort((a, b) => a - b)) {
    // Below those who call it: arrows cross less.
    const row = modules.map(({ id }) => id).filter((id) => depths.get(id) === depth)
      .map((id) => [middle(callers.get(id), places), id]).sort((a, b) => a[0] - b[0])
      .map(([, id]) => id);
    row.forEach((id, index) => places.set(id, (index + 0.5) / row.length));
    for (let from = 0; from < row.length; from += IN_ROW) found.push(row.slice(from, from + IN_ROW));
  }
  return found;
}

function middle(callers, places) {
  const known = callers.map((id) => places.get(id)).filter((place) => place !== undefined);
  return known.length ? known.reduce((sum, place) => sum + place, 0) / known.length : 0.5;
}

function placed(found, edges) {
  const widths = found.map((row) => row.map((id) => label(id).length * LETTER + 2 * PADDING));
  const across = widths.map((row) => row.reduce((sum, each) => sum + each, ACROSS * (row.length - 1)));
  const widest = Math.max(...across);
  const boxes = new Map();
  found.forEach((row, place) => {
    let left = MARGIN + (widest - across[place]) / 2;
    row.forEach((id, index) => {
      boxes.set(id, { left, top: MARGIN + place * (HEIGHT + DOWN), width: widths[place][index] });
      left += widths[place][index] + ACROSS;
    });
  });
  const height = found.length * (HEIGHT + DOWN) - DOWN + 2 * MARGIN;
  // Arrows between neighbours of a row go over it; above the first one there has to be room.
  const isTop = (id) => boxes.get(id).top === MARGIN;
  const lift = edges.some(({ from, to }) => isTop(from) && isTop(to)) ? DOWN * 0.4 : 0;
  for (const box of boxes.values()) box.top += lift;
  return { boxes, width: Math.ceil(widest + 2 * MARGIN), height: Math.ceil(height + lift) };
}

function path(start, end) {
  const [from, to] = [start, end].map((box) => (box.left + box.width / 2).toFixed(1));
  if (start === end) return "";
  if (start.top === end.top) {
    const lift = start.top - DOWN * 0.45;
    return `M ${from} ${start.top} C ${from} ${lift}, ${to} ${lift}, ${to} ${end.top - 2}`;
  }
  const isDown = end.top > start.top;
  const begin = start.top + (isDown ? HEIGHT : 0);
  const stop = isDown ? end.top - 2 : end.top + HEIGHT + 2;
  const bend = (stop - begin) / 2;
  return `M ${from} ${begin} C ${from} ${begin + bend}, ${to} ${stop - bend}, ${to} ${stop}`;
}

function head(id, way) {
  return s("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7,
    orient: "auto" }, s("path", { class: `arrow-head is-${way}`, d: "M 0 0 L 8 4 L 0 8 z" }));
}

// The end says more than the beginning: ids are paths.
const label = (id) => (id.length <= LABEL ? id : `…${id.slice(1 - LABEL)}`);
