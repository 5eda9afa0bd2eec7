// A list of any length, of which only what is near the window exists. Rows are as high as their
// content; what is being read stays where it is while rows are measured, added or taken away.
//
// It is a feed of articles: one of them is in the tab order, and arrows move on from there.

import { h } from "./dom.js";

const OVERSCAN = 600;
const NEAR_END = 1200;

// `render(item, index, items)` gives the content of a row, `key(item)` what tells rows apart.
// `onOpen(item)`: Enter was pressed. `onActive(item)`: the keyboard went there. `onNear()`: the end
// is near, and more is wanted.
export function virtualList({ label, key, render, onOpen, onActive, onNear, estimate = 88 }) {
  const inner = h("div", { class: "virtual-inner" });
  const element = h("div", { class: "virtual", role: "feed", "aria-label": label }, inner);
  const heights = new Map();
  const shown = new Map();
  let items = [];
  let places = new Map(); // key → index
  let offsets = [0];
  let active = null;
  let total = -1;
  let frame = 0;

  const sizes = new ResizeObserver((entries) => {
    let isChanged = false;
    for (const { target } of entries) {
      const id = target.virtualKey;
      const height = target.offsetHeight;
      if (!height || !shown.has(id) || heights.get(id) === height) continue;
      heights.set(id, height);
      isChanged = true;
    }
    if (isChanged) relaid();
  });
  const frames = new ResizeObserver(later);
  frames.observe(element);

  function later() {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      draw();
    });
  }

  // The first row in sight, and how far it is scrolled past.
  function anchor() {
    const top = element.scrollTop;
    if (top < 2 || !items.length) return null;
    const index = Math.min(at(top), items.length - 1);
    return { id: key(items[index]), past: top - offsets[index] };
  }

  function relaid(was = anchor()) {
    offsets = new Array(items.length + 1);
    offsets[0] = 0;
    for (let i = 0; i < items.length; i += 1) {
      offsets[i + 1] = offsets[i] + (heights.get(key(items[i])) ?? estimate);
    }
    inner.style.setProperty("height", `${offsets[items.length]}px`);
    if (was && places.has(was.id)) {
      const top = offsets[places.get(was.id)] + was.past;
      if (Math.abs(element.scrollTop - top) > 0.5) element.scrollTop = top;
    }
    draw();
  }

  function at(top) {
    let low = 0;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (offsets[middle + 1] <= top) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function draw() {
    const top = element.scrollTop;
    const first = at(Math.max(top - OVERSCAN, 0));
    const end = top + element.clientHeight + OVERSCAN;
    const wanted = [];
    for (let i = first; i < items.length && offsets[i] < end; i += 1) wanted.push(i);
    const focused = element.contains(document.activeElement) ? places.get(active) : undefined;
    for (const index of [focused, places.get(active)]) {
      if (index !== undefined && !wanted.includes(index)) wanted.push(index);
    }
    wanted.sort((a, b) => a - b);
    const ids = new Set(wanted.map((index) => key(items[index])));
    for (const [id, row] of shown) if (!ids.has(id)) drop(id, row);
    let next = inner.firstChild;
    for (const index of wanted) {
      const row = rowAt(index);
      if (row === next) next = next.nextSibling;
      else inner.insertBefore(row, next);
    }
    const isNear = end + NEAR_END > offsets[items.length] + OVERSCAN;
    if (isNear && items.length && element.clientHeight) onNear?.();
  }

  function rowAt(index) {
    const item = items[index];
    const id = key(item);
    let row = shown.get(id);
    if (!row) {
      row = h("article", { class: "virtual-row" });
      row.virtualKey = id;
      shown.set(id, row);
      sizes.observe(row);
    }
    if (row.virtualItem !== item || row.virtualBefore !== items[index - 1]) {
      row.virtualItem = item;
      row.virtualBefore = items[index - 1];
      row.replaceChildren(render(item, index, items));
    }
    row.style.setProperty("transform", `translateY(${offsets[index]}px)`);
    row.tabIndex = id === active || (active === null && index === 0) ? 0 : -1;
    row.classList.toggle("is-active", id === active);
    row.setAttribute("aria-posinset", index + 1);
    row.setAttribute("aria-setsize", total);
    return row;
  }

  function drop(id, row) {
    sizes.unobserve(row);
    row.remove();
    shown.delete(id);
  }

  function focusAt(index, { isQuiet = false } = {}) {
    if (!items.length) return;
    const held = Math.max(0, Math.min(index, items.length - 1));
    active = key(items[held]);
    reveal(held);
    draw();
    shown.get(active)?.focus({ preventScroll: true });
    if (!isQuiet) onActive?.(items[held]);
  }

  function reveal(index) {
    const top = offsets[index];
    const bottom = offsets[index + 1];
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) {
      element.scrollTop = Math.min(top, bottom - element.clientHeight);
    }
  }

  function move(by) {
    const from = places.get(active);
    focusAt(from === undefined ? (by > 0 ? 0 : items.length - 1) : from + by);
  }

  element.addEventListener("scroll", later, { passive: true });
  element.addEventListener("focusin", (event) => {
    const row = event.target.closest(".virtual-row");
    if (!row || row.virtualKey === active) return;
    active = row.virtualKey;
    for (const each of shown.values()) {
      each.tabIndex = each === row ? 0 : -1;
      each.classList.toggle("is-active", each === row);
    }
  });
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const screenful = Math.max(1, Math.floor(element.clientHeight / estimate) - 1);
    const moves = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      PageDown: () => move(screenful),
      PageUp: () => move(-screenful),
      Home: () => focusAt(0),
      End: () => focusAt(items.length - 1),
      Enter: () => event.target.classList.contains("virtual-row") && opened(),
    };
    const does = moves[event.key];
    if (!does || (event.key === "Enter" && !event.target.classList.contains("virtual-row"))) return;
    event.preventDefault();
    does();
  });

  function opened() {
    const index = places.get(active);
    if (index !== undefined) onOpen?.(items[index]);
  }

  function take(next) {
    const was = anchor();
    items = next;
    places = new Map(items.map((item, index) => [key(item), index]));
    if (active !== null && !places.has(active)) active = null;
    relaid(was);
  }

  return {
    element,
    get items() {
      return items;
    },
    get active() {
      return places.has(active) ? items[places.get(active)] : null;
    },
    // All items anew; what is in sight stays in sight, unless `isOther` says it is another list.
    set(next, { isOther = false, of = -1 } = {}) {
      total = of;
      const hadFocus = isOther && element.contains(document.activeElement);
      if (isOther) {
        element.scrollTop = 0;
        active = null;
      }
      take(next);
      if (hadFocus) focusAt(0, { isQuiet: true });
    },
    append(more) {
      take([...items, ...more]);
    },
    // Another item in the place of one with the same key.
    put(item) {
      const index = places.get(key(item));
      if (index !== undefined) take(items.with(index, item));
    },
    remove(id) {
      const index = places.get(id);
      if (index === undefined) return;
      const hadFocus = element.contains(document.activeElement);
      take(items.toSpliced(index, 1));
      if (hadFocus) focusAt(index, { isQuiet: true });
    },
    // Which one is shown elsewhere: it is marked and brought into sight.
    mark(id) {
      active = places.has(id) ? id : active;
      if (places.has(id)) reveal(places.get(id));
      draw();
    },
    focus: (id) => focusAt(places.get(id ?? active) ?? 0, { isQuiet: true }),
    move,
    open: opened,
    redraw: () => {
      for (const row of shown.values()) row.virtualItem = null;
      draw();
    },
    destroy() {
      sizes.disconnect();
      frames.disconnect();
      cancelAnimationFrame(frame);
      element.remove();
    },
  };
}
