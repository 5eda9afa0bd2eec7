// The panels there are. Each is a module that is loaded when it is first looked at and gives
//
//   export const panel = { id, title, key, mount(root, context) → { update(state), unmount() } }
//
// What `mount` returns may have two more: `keys`, what single keys do while the panel is shown
// ({ j: () => …}), and `help`, how they are told ([["j", "the next one"]]).

export const VIEWS = [
  { id: "memory", title: "Memory", key: "1", load: () => import("./panels/memory.js") },
  { id: "sessions", title: "Sessions", key: "2", load: () => import("./panels/sessions.js") },
  { id: "timeline", title: "Timeline", key: "3", load: () => import("./panels/timeline.js") },
  { id: "frames", title: "Frames", key: "4", load: () => import("./panels/frames.js") },
  { id: "live", title: "Live", key: "5", load: () => import("./panels/live.js") },
  { id: "operations", title: "Operations", short: "Ops", key: "6",
    load: () => import("./panels/operations.js") },
];

export const viewOf = (id) => VIEWS.find((view) => view.id === id) ?? VIEWS[0];
