// The seven filters, each a part of the address: a view that was filtered can be shared.

import { fill, h } from "../../dom.js";
import { FILTERS, moment } from "./asked.js";

const MODES = [["", "All modes"], ["hybrid", "Hybrid"], ["lexical-only", "Words only"]];
const CLASSES = ["timeout", "rate_limit", "schema", "json_parse", "network", "auth", "processing",
  "unknown"];
const TYPING = 250; // milliseconds without a key after which a text is meant

export function filters({ state, go }) {
  const fields = new Map();
  let timer = 0;

  function typed(name, read = (value) => value.trim()) {
    return () => {
      clearTimeout(timer);
      timer = setTimeout(() => go({ [name]: read(fields.get(name).value) }, { replace: true }), TYPING);
    };
  }

  const picked = (name, read = (value) => value) => (event) => {
    go({ [name]: read(event.target.value), bucket: null });
  };

  function labelled(name, title, field) {
    field.name = name;
    fields.set(name, field);
    return h("label", { class: "labelled" }, h("span", null, title), field);
  }

  const text = labelled("q", "Query or project has", h("input", { class: "field", type: "search",
    placeholder: "any text", autocomplete: "off", spellcheck: "false", oninput: typed("q") }));
  const project = labelled("project", "Project", h("select", { class: "field",
    onchange: picked("project") }));
  const mode = labelled("mode", "Mode", h("select", { class: "field", onchange: picked("mode") },
    MODES.map(([value, name]) => h("option", { value }, name))));
  const session = labelled("session", "Session", h("input", { class: "field", inputmode: "numeric",
    placeholder: "any number", autocomplete: "off",
    oninput: typed("session", (value) => value.replace(/\D/g, "")) }));
  const failure = labelled("class", "Failure class", h("select", { class: "field",
    onchange: picked("class") }));
  const since = labelled("since", "From", moments("since"));
  const until = labelled("until", "To", moments("until"));

  function moments(name) {
    return h("input", { class: "field", type: "datetime-local", step: 1, max: "9999-12-31T23:59:59",
      onchange: picked(name, (value) => moment(value)) });
  }

  const group = (title, ...inside) => h("fieldset", { class: "ops-filter-group" },
    h("legend", null, title), inside);
  const clear = h("button", { class: "button is-quiet", type: "button", onclick: () => {
    clearTimeout(timer);
    go({ ...Object.fromEntries(FILTERS.map((name) => [name, null])), bucket: null });
  } }, "Clear filters");
  const summary = h("summary", null, "Filters");
  const wrong = h("p", { class: "problem", role: "alert" });
  const element = h("details", { class: "ops-filters", open: matchMedia("(width > 46rem)").matches },
    summary,
    h("form", { role: "search", "aria-label": "Filters", onsubmit: (event) => event.preventDefault() },
      group("Searches", text, project, mode), group("Work", session, failure),
      group("When", since, until), clear), wrong);

  // The choices there are, with the one in use even where nobody knows it.
  function choices(name, empty, values, now) {
    const all = [...new Set([...values, now].filter(Boolean))];
    const field = fields.get(name);
    const old = [...field.options].map((option) => option.value);
    if (old.join("\n") !== ["", ...all].join("\n")) {
      fill(field, h("option", { value: "" }, empty), all.map((value) => h("option", { value }, value)));
    }
    field.value = now ?? "";
  }

  let projects = [];
  let classes = CLASSES;

  function update(now) {
    choices("project", "All projects", projects, now.project);
    choices("class", "All classes", classes, now.class);
    for (const name of ["q", "mode", "session"]) {
      const field = fields.get(name);
      if (field !== document.activeElement || field.tagName === "SELECT") field.value = now[name] ?? "";
    }
    for (const name of ["since", "until"]) fields.get(name).value = local(moment(now[name]));
    const number = FILTERS.filter((name) => now[name]).length;
    fill(summary, "Filters", number ? h("span", { class: "ops-number" }, `${number} in use`) : "");
    clear.hidden = !number && !now.bucket;
  }

  return {
    element,
    update,
    focus() {
      element.open = true;
      fields.get("q").focus();
    },
    problem(text) {
      wrong.textContent = text ?? "";
    },
    projects(names) {
      projects = names;
      update(state());
    },
    classes(names) {
      classes = [...new Set([...CLASSES, ...names])];
      update(state());
    },
  };
}

// A moment as a field of date and time has it, in the reader's zone.
function local(at) {
  if (at === null) return "";
  const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return Number.isNaN(shifted.getTime()) ? "" : shifted.toISOString().slice(0, 19);
}
