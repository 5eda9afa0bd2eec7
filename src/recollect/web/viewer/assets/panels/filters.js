// What a list of memories is narrowed by: fields that write the address, and chips that say what is
// set and take it away again.

import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { KINDS, ORIGINS, spoken } from "../rows.js";
import { dayName, endOfDay, fieldDay, startOfDay } from "../time.js";

export const FILTERS = ["project", "kind", "type", "origin", "file", "since", "until", "pinned",
  "outdated"];

const SAID = {
  project: (value) => value,
  kind: (value) => KINDS[value] ?? value,
  type: (value) => spoken(value),
  origin: (value) => `From ${ORIGINS[value] ?? value}`,
  file: (value) => `File ${value}`,
  since: (value) => `Since ${dayName(moment(value))}`,
  until: (value) => `Until ${dayName(moment(value))}`,
  pinned: (value) => (value === "true" ? "Pinned" : "Not pinned"),
  outdated: (value) => (value === "true" ? "Outdated" : "Current"),
};

// Ours are numbers; an address that somebody wrote may have a day.
const moment = (value) => (/^-?\d+$/.test(value) ? Number(value) : value);

export function filterBar(context) {
  const fields = {};
  const chips = h("div", { class: "chips", role: "group", "aria-label": "Filters that are set" });
  const set = (name) => (event) => context.go({ [name]: event.target.value });

  function chosen(name, label, first) {
    fields[name] = h("select", { class: "field", onchange: set(name) },
      h("option", { value: "" }, first));
    return h("label", { class: "labelled" }, h("span", null, label), fields[name]);
  }

  function day(name, label, at) {
    fields[name] = h("input", { class: "field", type: "date",
      onchange: (event) => context.go({ [name]: at(event.target.value) }) });
    return h("label", { class: "labelled" }, h("span", null, label), fields[name]);
  }

  function ticked(name, label) {
    fields[name] = h("input", { type: "checkbox",
      onchange: (event) => context.go({ [name]: event.target.checked ? "true" : null }) });
    return h("label", { class: "check" }, fields[name], label);
  }

  fields.file = h("input", { class: "field", type: "text", placeholder: "src/app.py",
    spellcheck: "false", autocapitalize: "none", onchange: set("file") });

  const element = h("div", { class: "filters", id: "filters" },
    chosen("project", "Project", "All projects"),
    chosen("kind", "Kind", "Every kind"),
    chosen("type", "Type", "Every type"),
    chosen("origin", "Said by", "Anybody"),
    h("label", { class: "labelled" }, h("span", null, "File"), fields.file),
    day("since", "From", startOfDay),
    day("until", "To", endOfDay),
    h("div", { class: "ticks" }, ticked("pinned", "Pinned"), ticked("outdated", "Outdated")));

  function update(state) {
    for (const name of ["project", "kind", "type", "origin"]) show(fields[name], state[name] ?? "");
    if (document.activeElement !== fields.file) fields.file.value = state.file ?? "";
    for (const name of ["since", "until"]) {
      if (document.activeElement !== fields[name]) {
        fields[name].value = state[name] ? fieldDay(state[name]) : "";
      }
    }
    for (const name of ["pinned", "outdated"]) fields[name].checked = state[name] === "true";
    const names = FILTERS.filter((name) => state[name]);
    fill(chips, names.map((name) => {
      const said = SAID[name](state[name]);
      return h("button", { class: "chip", type: "button", "aria-label": `Without: ${said}`,
        onclick: () => context.go({ [name]: null }) }, said, icon("close"));
    }), names.length > 1 && h("button", { class: "chip is-plain", type: "button",
      onclick: () => context.go(without()) }, "Clear all filters"));
    return names.length;
  }

  // What there is to choose from, once the worker has told.
  function offer({ projects = [], kinds = {}, types = [], origins = [] }) {
    const named = (each) => (typeof each === "string" ? each : each.name ?? each.type ?? each.origin);
    options(fields.project, projects.map((each) => [named(each), named(each)]));
    const shown = Object.keys(KINDS).filter((kind) => kind in kinds || !Object.keys(kinds).length);
    options(fields.kind, shown.map((kind) => [kind, KINDS[kind]]));
    options(fields.type, types.map(named).map((type) => [type, spoken(type)]));
    const said = origins.length ? origins.map(named) : Object.keys(ORIGINS);
    options(fields.origin, said.map((origin) => [origin, ORIGINS[origin] ?? origin]));
    update(context.state);
  }

  return { element, chips, update, offer };
}

export const without = () => Object.fromEntries(FILTERS.map((name) => [name, null]));

function options(select, pairs) {
  const [first] = select.options;
  const value = select.value;
  fill(select, first, pairs.map(([id, label]) => h("option", { value: id }, label)));
  show(select, value);
}

// A value of the address that is not among the options is one of them from then on.
function show(select, value) {
  const isKnown = [...select.options].some((option) => option.value === value);
  if (!isKnown) select.append(h("option", { value }, value));
  select.value = value;
}
