// What is being looked at, as the query of the address: a view can be kept and shared. Every
// value is a string; what is not in the address is not in the state.

export const HOME = "memory";

// These mean the same in every view, and stay when it changes.
const SHARED = ["project", "since", "until"];

// A store of the state. `current` is frozen; whoever subscribes is told the new and the old one.
export function addressState() {
  let current = read();
  const listeners = new Set();

  function tell(before) {
    for (const listener of listeners) listener(current, before);
  }

  window.addEventListener("popstate", () => {
    const before = current;
    current = read();
    tell(before);
  });

  return {
    get current() {
      return current;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    // Change some of it; null and "" take a value out. A change of view keeps what is shared.
    go(changes, { replace = false } = {}) {
      const next = changed(current, changes);
      if (same(next, current)) return;
      const before = current;
      current = Object.freeze(next);
      history[replace ? "replaceState" : "pushState"](null, "", address(current));
      tell(before);
    },
    // The address that `go` would lead to, for links that can be opened elsewhere.
    href(changes) {
      return address(changed(current, changes));
    },
  };
}

export function same(one, other) {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}

// Only these parts of a state, for what is asked of the worker.
export function only(state, names) {
  return Object.fromEntries(names.filter((name) => state[name]).map((name) => [name, state[name]]));
}

function changed(current, changes) {
  const isOther = changes.view !== undefined && changes.view !== current.view;
  const kept = isOther ? only(current, SHARED) : current;
  const next = { ...kept, ...changes };
  for (const [name, value] of Object.entries(next)) {
    if (value === null || value === undefined || value === "") delete next[name];
    else next[name] = String(value);
  }
  return { ...next, view: next.view ?? HOME };
}

function read() {
  const state = Object.fromEntries(new URLSearchParams(location.search));
  return Object.freeze({ ...state, view: state.view || HOME });
}

function address(state) {
  const { view, ...rest } = state;
  const names = Object.keys(rest).sort();
  const pairs = [...(view === HOME && !names.length ? [] : [["view", view]])];
  const query = new URLSearchParams([...pairs, ...names.map((name) => [name, rest[name]])]);
  return query.size ? `${location.pathname}?${query}` : location.pathname;
}
