// The door: a worker that has a token asks for it once. What it gives back is a cookie that scripts
// cannot read; the token itself is not kept here.

import { plain } from "./api.js";
import { h, fill } from "./dom.js";

// Shows the question and keeps its promise once the worker has let us in.
export function letIn() {
  return new Promise((resolve) => {
    const wrong = h("p", { class: "problem", role: "alert" });
    const field = h("input", { class: "field", type: "password", name: "token", required: true,
      autocomplete: "current-password", spellcheck: "false", "aria-describedby": "door-hint" });
    const button = h("button", { class: "button is-main", type: "submit" }, "Enter");
    const dialog = h("dialog", { class: "dialog door", "aria-labelledby": "door-title",
        oncancel: (event) => event.preventDefault() },
      h("form", { onsubmit: enter },
        h("h2", { id: "door-title" }, "This worker asks for its token"),
        h("p", { id: "door-hint", class: "soft" }, "It is the value of ",
          h("code", null, "RECOLLECT_TOKEN"), ", or what the worker's token file holds. ",
          "This browser is then known for thirty days."),
        h("label", { class: "labelled" }, h("span", null, "Token"), field),
        wrong,
        h("div", { class: "dialog-foot" }, button)));

    async function enter(event) {
      event.preventDefault();
      button.disabled = true;
      fill(wrong);
      try {
        await plain("POST", "/viewer/enter", { token: field.value });
        dialog.close();
        dialog.remove();
        resolve();
      } catch (error) {
        fill(wrong, sentence(error.message));
        field.select();
      } finally {
        button.disabled = false;
      }
    }

    document.body.append(dialog);
    dialog.showModal();
    field.focus();
  });
}

function sentence(text) {
  const end = /[.!?]$/.test(text) ? "" : ".";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`;
}
