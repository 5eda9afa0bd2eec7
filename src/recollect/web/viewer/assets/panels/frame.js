// One frame in full: where work stood, what was in the way, its images, and the modules around it.

import { isAborted } from "../api.js";
import { fill, h } from "../dom.js";
import { plainly } from "../rows.js";
import { bytes, clockTime, counted, dayName, fully } from "../time.js";
import { neighbourhood } from "./neighbourhood.js";

const FARTHEST = 5;
const LISTS = [
  ["blockers", "In the way"],
  ["merge_blockers", "In the way of merging"],
  ["tests_failing", "Tests that fail"],
];

export function frameView(root, context, id) {
  const place = h("div", { class: "frame-page" });
  const around = h("section", { class: "frame-around", "aria-label": "Modules around it" });
  let asking = null;
  let radius = 1;
  root.append(place);

  async function load() {
    asking?.abort();
    asking = new AbortController();
    const mine = asking;
    try {
      const frame = await context.api.get(`/api/viewer/frames/${encodeURIComponent(id)}`, { radius },
        { signal: mine.signal });
      if (mine !== asking) return;
      if (!around.isConnected) fill(place, page(frame), around);
      drawn(frame);
    } catch (error) {
      if (mine !== asking || isAborted(error)) return;
      fill(place, h("div", { class: "empty" },
        h("p", { class: "problem", role: "alert" }, error.message)));
    }
  }

  function page(frame) {
    return [
      h("header", { class: "trace-head is-flat" },
        h("p", { class: "faint small" }, frame.is_outdated ? "Frame, outdated" : "Frame"),
        h("h2", { class: "trace-title" }, frame.reference_point),
        h("p", { class: "trace-facts" },
          link({ project: frame.project, frame: null }, frame.project),
          link({ branch: frame.branch, frame: null }, frame.branch, "mono"),
          frame.jira && link({ jira: frame.jira, frame: null }, frame.jira),
          h("time", { title: fully(frame.at), datetime: new Date(frame.at).toISOString() },
            `${dayName(frame.at)}, ${clockTime(frame.at)}`))),
      frame.summary_caption && h("p", { class: "frame-caption" }, frame.summary_caption),
      h("dl", { class: "frame-status" },
        h("div", { class: "is-next" }, h("dt", null, "Next"), h("dd", null, frame.next_action || "—")),
        LISTS.filter(([name]) => frame[name].length).map(([name, label]) =>
          h("div", null, h("dt", null, label),
            h("dd", null, h("ul", null, frame[name].map((each) => h("li", null, each))))))),
      images(frame),
      facts(frame),
    ];
  }

  function link(to, words, sort = "") {
    return h("a", { class: `chip ${sort}`, href: context.href(to),
      onclick: plainly(() => context.go(to)) }, words);
  }

  function images(frame) {
    if (!frame.images.length) return null;
    return h("ul", { class: "frame-images", "aria-label": "Images" }, frame.images.map((image) => {
      const src = `/api/viewer/frames/${encodeURIComponent(frame.id)}/images/${image.number}`;
      const told = `Image ${image.number}: ${image.mime_type}, ${bytes(image.size)}`;
      return h("li", null, h("figure", null,
        h("img", { src, alt: `Image ${image.number} of ${frame.reference_point}`, loading: "lazy" }),
        h("figcaption", null, h("a", { href: src, download: "" }, told))));
    }));
  }

  function facts(frame) {
    const told = [
      ["Keywords", frame.keywords],
      ["Feature flags", frame.feature_flags],
      ["Permissions", frame.permissions],
      ["Run", frame.run_id],
      ["Plan", frame.plan_hash],
      ["User", frame.user_id],
      ["Spent", frame.spend && Object.entries(frame.spend)
        .map(([name, each]) => `${name}: ${typeof each === "object" ? JSON.stringify(each) : each}`)],
    ].map(([name, given]) => [name, Array.isArray(given) ? given.join(", ") : given]);
    return h("dl", { class: "frame-facts" },
      told.filter(([, given]) => given).map(([name, given]) =>
        h("div", null, h("dt", null, name), h("dd", null, String(given)))),
      h("div", null, h("dt", null, "Id"), h("dd", null, h("code", null, frame.id))),
      h("div", null, h("dt", null, "Memory"), h("dd", null,
        h("a", { href: context.href({ view: "memory", id: frame.memory }),
          onclick: plainly(() => context.go({ view: "memory", id: frame.memory })) },
        "its history, pin, edit"))));
  }

  function drawn({ atlas }) {
    const held = around.contains(document.activeElement) ? document.activeElement.dataset.step : null;
    const picture = neighbourhood(atlas, { onModule: (module) => context.go({ module, frame: null }) });
    const words = !atlas.has_policy
      ? "No module policy is known to the worker, so these are the frame's own modules. With one in "
        + "the folder that it was started in, who may call whom is drawn here; recollect lex init "
        + "proposes one."
      : `${counted(atlas.modules.length, "module")}, at most ${counted(atlas.radius, "step")} away`
        + (atlas.is_cut ? "; there are more" : "");
    fill(around,
      h("div", { class: "atlas-head" },
        h("h3", null, "Modules around it"),
        atlas.has_policy && h("div", { class: "story-row", role: "group", "aria-label": "How far" },
          stepButton("fewer", "−", "Fewer modules", radius > 0, -1),
          stepButton("more", "+", "More modules", radius < FARTHEST, 1))),
      h("p", { class: "small soft" }, words),
      atlas.problem && h("p", { class: "problem small" }, atlas.problem),
      atlas.unknown.length > 0 && atlas.has_policy && h("p", { class: "small soft" },
        `The policy does not know ${atlas.unknown.join(", ")}.`),
      picture);
    if (held) around.querySelector(`[data-step="${held}"]:not(:disabled)`)?.focus();
  }

  function stepButton(step, sign, label, isPossible, by) {
    return h("button", { class: "icon-button", type: "button", "aria-label": label, title: label,
      disabled: !isPossible, dataset: { step }, onclick: () => { radius += by; load(); } }, sign);
  }

  load();
  return { unmount: () => asking?.abort() };
}
