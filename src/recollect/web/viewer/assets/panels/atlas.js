// Where the modules of a neighbourhood stand and which ways their calls take. Who calls stands above
// whom it calls; an arrow that goes further than to the next row has a lane of its own between the
// boxes, so that none runs behind another module.

const LETTER = 7.3;
const PADDING = 14;
const ACROSS = 26;
const LANE = 10;
const DOWN = 62;
const MARGIN = 16;
const IN_ROW = 5;
const LABEL = 30;
const SWEEPS = 4;
const MOST_LANES = 300; // more of them are a thicket, whichever way they go

export const HEIGHT = 36;

// The end says more than the beginning: ids are paths.
export const labelOf = (id) => (id.length <= LABEL ? id : `…${id.slice(1 - LABEL)}`);

// `{ boxes: id → { left, top, width }, ways: edge → path, width, height }`.
export function layout(ids, edges) {
  const rows = rowsOf(ids, edges);
  const rowOf = new Map(rows.flatMap((row, index) => row.map((id) => [id, index])));
  const between = edges.filter(({ from, to }) => from !== to);
  const lanes = between.reduce((sum, { from, to }) =>
    sum + Math.max(Math.abs(rowOf.get(from) - rowOf.get(to)) - 1, 0), 0);
  const taken = lanes > MOST_LANES ? null : rows;
  const chains = new Map(between.map((edge, index) => [edge, chainOf(edge, index, rowOf, taken)]));
  ordered(rows, [...chains.values()].map(({ nodes }) => nodes));
  const isOver = rows.length > 0 && [...chains.values()].some(({ nodes, isLevel }) =>
    isLevel && rowOf.get(nodes[0]) === 0);
  const { places, width, height } = placed(rows, isOver ? DOWN * 0.45 : 0);
  const ports = portsOf(chains, places);
  const ways = new Map([...chains].map(([edge, chain]) => [edge, way(chain, places, ports.get(edge))]));
  const boxes = new Map(ids.map((id) => [id, places.get(id)]));
  return { boxes, ways, width, height };
}

// How far below its first caller each module stands; a circle begins where it has the fewest callers.
function rowsOf(ids, edges) {
  const callers = new Map(ids.map((id) => [id, []]));
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
  const rows = [];
  for (const depth of [...new Set(depths.values())].sort((one, other) => one - other)) {
    const row = ids.filter((id) => depths.get(id) === depth);
    for (let from = 0; from < row.length; from += IN_ROW) rows.push(row.slice(from, from + IN_ROW));
  }
  return rows;
}

// From above to below, with a lane in each row between; `isUp` when the call goes the other way.
function chainOf({ from, to }, index, rowOf, rows) {
  const [start, end] = [rowOf.get(from), rowOf.get(to)];
  const isUp = start > end;
  const [upper, lower] = isUp ? [to, from] : [from, to];
  const nodes = [upper];
  for (let row = Math.min(start, end) + 1; rows && row < Math.max(start, end); row += 1) {
    const lane = Symbol(`${index} ${row}`);
    rows[row].push(lane);
    nodes.push(lane);
  }
  return { nodes: [...nodes, lower], isUp, isLevel: start === end };
}

// Each where its neighbours above and below would have it, so that arrows cross less.
function ordered(rows, chains) {
  const near = new Map(rows.flat().map((node) => [node, []]));
  for (const nodes of chains) {
    for (let at = 1; at < nodes.length; at += 1) {
      near.get(nodes[at]).push(nodes[at - 1]);
      near.get(nodes[at - 1]).push(nodes[at]);
    }
  }
  const places = new Map();
  const settle = (row) => row.forEach((node, at) => places.set(node, (at + 0.5) / row.length));
  rows.forEach(settle);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const row of sweep % 2 ? rows.toReversed() : rows) {
      const wishes = new Map(row.map((node) => {
        const some = near.get(node).map((each) => places.get(each));
        const middle = some.reduce((sum, each) => sum + each, 0) / some.length;
        return [node, some.length ? middle : places.get(node)];
      }));
      row.sort((one, other) => wishes.get(one) - wishes.get(other));
      settle(row);
    }
  }
}

function placed(rows, lift) {
  const wide = (node) => (typeof node === "symbol" ? LANE
    : labelOf(node).length * LETTER + 2 * PADDING);
  const across = rows.map((row) => row.reduce((sum, node) => sum + wide(node), ACROSS * (row.length - 1)));
  const widest = Math.max(...across);
  const places = new Map();
  rows.forEach((row, index) => {
    let left = MARGIN + (widest - across[index]) / 2;
    for (const node of row) {
      places.set(node, { left, top: MARGIN + lift + index * (HEIGHT + DOWN), width: wide(node) });
      left += wide(node) + ACROSS;
    }
  });
  return {
    places,
    width: Math.ceil(widest + 2 * MARGIN),
    height: Math.ceil(rows.length * (HEIGHT + DOWN) - DOWN + lift + 2 * MARGIN),
  };
}

const middle = ({ left, width }) => left + width / 2;

// Where along a box its arrows begin and end: side by side, in the order of where they go.
function portsOf(chains, places) {
  const sides = new Map();
  const ports = new Map([...chains.keys()].map((edge) => [edge, {}]));
  const join = (node, side, edge, end, towards) => {
    const key = places.get(node);
    if (!sides.has(key)) sides.set(key, { top: [], bottom: [] });
    sides.get(key)[side].push({ edge, end, towards: middle(places.get(towards)) });
  };
  for (const [edge, { nodes, isLevel }] of chains) {
    join(nodes[0], isLevel ? "top" : "bottom", edge, "upper", nodes[1]);
    join(nodes.at(-1), "top", edge, "lower", nodes.at(-2));
  }
  for (const [box, both] of sides) {
    for (const ends of Object.values(both)) {
      ends.sort((one, other) => one.towards - other.towards);
      const gap = Math.min(16, (box.width - 16) / ends.length);
      ends.forEach(({ edge, end }, at) => {
        ports.get(edge)[end] = middle(box) + (at - (ends.length - 1) / 2) * gap;
      });
    }
  }
  return ports;
}

function way({ nodes, isUp, isLevel }, places, { upper, lower }) {
  const [first, last] = [places.get(nodes[0]), places.get(nodes.at(-1))];
  if (isLevel) {
    const lift = first.top - DOWN * 0.42;
    return `M ${r(upper)} ${first.top} C ${r(upper)} ${lift}, ${r(lower)} ${lift}, `
      + `${r(lower)} ${last.top - 2}`;
  }
  const points = [[upper, first.top + HEIGHT + (isUp ? 2 : 0)]];
  for (const lane of nodes.slice(1, -1)) {
    const { top } = places.get(lane);
    points.push([middle(places.get(lane)), top], [middle(places.get(lane)), top + HEIGHT]);
  }
  points.push([lower, last.top - (isUp ? 0 : 2)]);
  if (isUp) points.reverse();
  return points.slice(1).reduce((drawn, [x, y], at) => {
    const [fromX, fromY] = points[at];
    if (fromX === x) return `${drawn} L ${r(x)} ${y}`;
    const half = (fromY + y) / 2;
    return `${drawn} C ${r(fromX)} ${half}, ${r(x)} ${half}, ${r(x)} ${y}`;
  }, `M ${r(points[0][0])} ${points[0][1]}`);
}

const r = (number) => Math.round(number * 10) / 10;
