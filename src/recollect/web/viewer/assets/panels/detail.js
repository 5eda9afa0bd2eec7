// One memory in full: what it says, why it was found, where it comes from, what was said before, and
// what can be done about it. What its parts look like is in parts.js.

import { fill, h, worded } from "../dom.js";
import { icon } from "../icons.js";
import { headline, kindText } from "../rows.js";
import { counted } from "../time.js";
import { overviewOf, partsOf } from "./parts.js";

const AT = "/api/viewer/memories";
const A_LINE = 60; // characters, about

// What was typed and neither saved nor dropped: id → { title, text }. Another memory may be looked at
// meanwhile, or another view.
const drafts = new Map();

// `scoreOf(id)`: what a search said of it. `onClose()`: it shall be shown no more.
export function detailView(context, { changes, scoreOf, onClose }) {
  const title = h("h2", { class: "detail-title", tabindex: -1 });
  const kind = h("span", { class: "kind" });
  const actions = h("div", { class: "actions", role: "toolbar", "aria-label": "What can be done" });
  const form = h("div", { class: "detail-form" });
  const body = h("div", { class: "detail-body" });
  const about = h("div", { class: "detail-blank" });
  const whole = h("article", { class: "detail-whole", hidden: true },
    h("header", { class: "detail-head" },
      h("div", { class: "detail-top" },
        h("button", { class: "icon-button detail-back", type: "button", onclick: () => onClose(),
          "aria-label": "Back to the list", title: "Back (Esc)" }, icon("back")),
        kind, actions),
      title),
    form, body);
  const element = h("aside", { class: "detail", "aria-label": "The memory in full" }, about, whole);
  let item = null;
  let asking = null;
  let wantsFocus = false;

  function overview(how) {
    context.overview(how).then((told) => fill(about, overviewOf(told, context)), () => {});
  }

  async function read(id) {
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    element.setAttribute("aria-busy", "true");
    try {
      const told = await context.api.get(`${AT}/${encodeURIComponent(id)}`, {}, { signal });
      if (!signal.aborted) show(told);
    } catch (error) {
      if (signal.aborted) return;
      item = null;
      about.hidden = true;
      whole.hidden = false;
      fill(kind, "");
      fill(title, error.status === 404 ? "This memory is not there (any more)" : "It could not be read");
      fill(actions);
      fill(form);
      fill(body, h("p", { class: "problem", role: "alert" }, error.message));
    }
    element.removeAttribute("aria-busy");
    if (wantsFocus) title.focus();
    wantsFocus = false;
  }

  function show(told) {
    const isOther = item?.id !== told.id;
    item = told;
    about.hidden = true;
    whole.hidden = false;
    whole.dataset.kind = item.kind;
    fill(kind, kindText(item));
    if (isOther) fill(form);
    if (isOther) element.scrollTop = 0;
    drawn();
  }

  function drawn() {
    if (!item) return;
    const score = scoreOf(item.id);
    fill(title, worded(headline(item), score?.terms));
    fill(actions, buttons());
    fill(body, partsOf(item, { score, context, changes }));
  }

  function buttons() {
    const does = (name, label, act, props = {}) => h("button", { class: "icon-button", type: "button",
      onclick: act, title: label, "aria-label": label, ...props }, icon(name));
    return [
      does("pin", item.is_pinned ? "Pinned (p)" : "Pin (p)", () => changes.pin(item),
        { "aria-label": "Pin", "aria-pressed": item.is_pinned }),
      does("edit", "Edit (e)", edit, { "aria-label": "Edit" }),
      item.is_outdated
        ? does("restore", "Restore (x)", () => changes.restore(item), { "aria-label": "Restore" })
        : does("outdated", "Mark as outdated (x)", outdate, { "aria-label": "Mark as outdated" }),
      does("delete", "Delete (#)", () => changes.remove(item),
        { class: "icon-button is-danger", "aria-label": "Delete" }),
    ];
  }

  function formed(label, fields, button, act) {
    const element = h("form", { class: "card", "aria-label": label, onsubmit: submit,
      onkeydown: (event) => {
        const isDone = event.key === "Enter" && (event.ctrlKey || event.metaKey);
        if (isDone) submit(event);
      } }, fields,
      h("div", { class: "dialog-foot" },
        h("button", { class: "button is-quiet", type: "button", onclick: cancelled }, "Cancel"),
        h("button", { class: "button is-main", type: "submit" }, button)));
    let isUnderWay = false;
    async function submit(event) {
      event.preventDefault();
      if (isUnderWay) return;
      isUnderWay = true;
      const isDone = await act();
      isUnderWay = false;
      if (isDone && form.contains(element)) dropForm();
    }
    fill(form, element);
    element.querySelector("input, textarea").focus();
  }

  function dropForm() {
    const hadFocus = form.contains(document.activeElement);
    fill(form);
    if (hadFocus) title.focus();
  }

  function cancelled() {
    drafts.delete(item?.id);
    dropForm();
  }

  function edit() {
    const { id } = item;
    const draft = drafts.get(id);
    const { title: named, text: said } = draft ?? item;
    const typed = () => drafts.set(id, { title: name.value, text: text.value });
    const name = h("input", { class: "field", dir: "auto", value: named ?? "",
      maxlength: 500, oninput: typed });
    const wanted = said.split("\n").reduce((sum, line) => sum + 1 + line.length / A_LINE, 1);
    const text = h("textarea", { class: "field", rows: Math.round(Math.min(18, Math.max(4, wanted))),
      dir: "auto", required: true, value: said, oninput: typed });
    formed("Edit", [
      h("label", { class: "labelled" }, h("span", null, "Title"), name),
      h("label", { class: "labelled" }, h("span", null, "Text"), text),
      h("p", { class: "small soft" }, draft && "This goes on with what you had typed. ",
        "What it said before stays in its history."),
    ], "Save", async () => {
      const now = await changes.edit(item, { text: text.value, title: name.value });
      if (now) drafts.delete(id);
      return now;
    });
  }

  function outdate() {
    const why = h("input", { class: "field", maxlength: 2000, placeholder: "It may stay empty" });
    formed("Mark as outdated", [
      h("p", { class: "small soft" },
        "It stays readable here, and no agent is told it again until you restore it."),
      h("label", { class: "labelled" }, h("span", null, "Why?"), why),
    ], "Mark as outdated", async () => {
      await changes.outdate(item, why.value.trim());
      return true;
    });
  }

  const acting = (act) => () => {
    if (item) act();
  };

  return {
    element,
    overview,
    update(state) {
      if (!state.id) {
        asking?.abort();
        item = null;
        about.hidden = false;
        whole.hidden = true;
      } else if (String(item?.id) !== state.id) read(state.id);
    },
    // The worker is back: what could not be read is read now.
    resumed(state) {
      if (state.id && !item) read(state.id);
    },
    changed(told) {
      if (item?.id === told.id) show(told);
    },
    // There is more in the store than was told.
    told() {
      if (!about.hidden) overview({ isFresh: true });
    },
    // The list has numbers now that it had not when the memory was drawn.
    scored: () => drawn(),
    // Once it is there, for whoever opened it by hand.
    focus() {
      wantsFocus = true;
    },
    escape() {
      if (!form.firstChild) return false;
      cancelled();
      return true;
    },
    keys: () => ({
      p: acting(() => changes.pin(item)),
      e: acting(edit),
      x: acting(() => (item.is_outdated ? changes.restore(item) : outdate())),
      "#": acting(() => changes.remove(item)),
      Delete: acting(() => changes.remove(item)),
    }),
    help: [["p", "pin what is shown"], ["e", "edit it"], ["x", "mark it as outdated, or restore it"],
      ["# / Delete", "delete it"]],
    unmount() {
      asking?.abort();
    },
  };
}
