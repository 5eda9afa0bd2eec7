// Drawings of one line each, 20 by 20, in the colour of the text around them.

import { s } from "./dom.js";

const PATHS = {
  memory: "M3.5 5.5h13M3.5 10h13M3.5 14.5h8",
  sessions: "M4 4.5h12v9H9l-3.5 3v-3H4z",
  timeline: "M3 10h14M6 7v6M10 5v10M14 7v6",
  frames: "M4 4h5v5H4zM11 11h5v5h-5zM9 6.5h4.5V11M6.5 9v4.5H11",
  live: "M3 10h3l2-5 4 10 2-5h3",
  operations: "M4 16V9M10 16V4M16 16v-5",
  search: "M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l4 4",
  pin: "M8 3h4l-.5 5 2.5 2.5v1H6v-1L8.5 8zM10 11.5V17",
  edit: "M4 16l.8-3.2L13 4.6l2.4 2.4-8.2 8.2zM11.5 6l2.4 2.4",
  outdated: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM5.2 14.8l9.6-9.6",
  restore: "M4 4v4h4M4.5 8A6.5 6.5 0 1 1 4 12",
  delete: "M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6M8.7 9v4.5M11.3 9v4.5",
  close: "M5 5l10 10M15 5L5 15",
  back: "M11.5 4.5L6 10l5.5 5.5",
  filter: "M3 5h14M6 10h8M8.5 15h3",
  sun: "M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM10 2v2M10 16v2M2 10h2M16 10h2"
    + "M4.3 4.3l1.4 1.4M14.3 14.3l1.4 1.4M15.7 4.3l-1.4 1.4M5.7 14.3l-1.4 1.4",
  moon: "M16 12A6.5 6.5 0 0 1 8 4a6.5 6.5 0 1 0 8 8z",
  auto: "M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14",
  keys: "M3 6h14v8.5H3zM6 9h.01M9 9h.01M12 9h.01M14.5 9h.01M7 12h6",
  copy: "M7 7h9v9H7zM4 13V4h9",
  down: "M5 8l5 5 5-5",
  file: "M6 3h5l4 4v10H6zM11 3v4h4",
  refresh: "M16 4v4h-4M15.5 8A6.5 6.5 0 1 0 16 12",
  link: "M8.5 11.5l3-3M9 6l1.5-1.5a3.2 3.2 0 0 1 5 5L14 11M11 14l-1.5 1.5a3.2 3.2 0 0 1-5-5L6 9",
  export: "M10 3v9M6.5 8.5L10 12l3.5-3.5M4 14v3h12v-3",
};

export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true" },
    s("path", { d: PATHS[name] }));
}
