// The parts that a memory in full is made of, each left out where there is nothing to show; and
// what stands in their place while none is chosen.

import { h, marked, worded } from "../dom.js";
import { icon } from "../icons.js";
import { headline, KINDS, kindText, ORIGINS, plainly, shortPath } from "../rows.js";
import { explained } from "../score.js";
import { ago, bytes, count, counted, fully } from "../time.js";

const LONG = 2600;

// Who reads without a model.
const OWN_READERS = ["rules", "hand"];

// Kinds that are listed only where they are asked for.
const ASIDE = ["lifecycle", "thought"];

export function partsOf(item, { score, context, changes }) {
  return [
    facts(item, context),
    item.is_outdated && outdated(item, context, changes),
    !item.frame && wholeText(said(item), score?.terms),
    score && part("Why it was found", explained(score)),
    portrait(item),
    recap(item.recap),
    !item.frame && claim(item.claim),
    frame(item.frame, context),
    prompt(item, context),
    files(item, context),
    around(item, context),
    history(item.history),
    source(item),
  ];
}

// What the store holds, in the place of a memory.
export function overviewOf(told, context) {
  const kinds = Object.entries(told.kinds ?? {})
    .filter(([kind, number]) => number && !ASIDE.includes(kind));
  const sum = kinds.reduce((all, [, number]) => all + number, 0);
  if (!sum) return [];
  const most = Math.max(...kinds.map(([, number]) => number));
  return [
    h("h2", null, counted(sum, "memory", "memories")),
    h("p", { class: "soft" }, "Choose one to read it in full, with where it comes from. ",
      h("span", { class: "when-wide" }, h("kbd", null, "j"), " and ", h("kbd", null, "k"),
        " go through the list, ", h("kbd", null, "?"), " tells the other keys.")),
    h("ul", { class: "kind-bars" }, kinds.sort((one, other) => other[1] - one[1])
      .map(([kind, number]) => h("li", { dataset: { kind } },
        link(context, { kind, id: null }, h("span", { class: "kind" }, KINDS[kind] ?? kind)),
        h("span", { class: "kind-bar", "aria-hidden": "true" },
          h("span", { style: { width: `${(100 * number) / most}%` } })),
        h("span", { class: "number" }, count(number))))),
    h("p", { class: "faint small" }, ASIDE.filter((kind) => told.kinds[kind]).map((kind, at) => [
      at ? " and " : "Beside them ",
      link(context, { kind, id: null }, counted(told.kinds[kind], KINDS[kind].toLowerCase()))])),
    told.projects?.length > 0 && [
      h("h3", null, "Projects"),
      h("ul", { class: "plain-list" }, told.projects.slice(0, 8).map((project) =>
        h("li", null, link(context, { project: project.name, id: null }, project.name),
          h("span", { class: "faint small" }, counted(project.memories, "memory", "memories"),
            project.bytes ? `, ${bytes(project.bytes)}` : "",
            project.latest ? `, ${ago(project.latest)}` : "")))),
      told.projects.length > 8 &&
        h("p", { class: "faint small" }, `and ${told.projects.length - 8} more, under Filters`),
    ],
  ];
}

function part(title, ...content) {
  const shown = content.flat(Infinity).filter(Boolean);
  return shown.length > 0 && h("section", { class: "part" }, h("h3", null, title), shown);
}

function link(context, changes, ...content) {
  return h("a", { href: context.href(changes), onclick: plainly(() => context.go(changes)) }, content);
}

function facts(item, context) {
  return h("p", { class: "detail-facts" },
    h("time", { datetime: new Date(item.created_at).toISOString() }, fully(item.created_at)),
    link(context, { project: item.project }, item.project),
    item.session !== null && item.session !== undefined
      && link(context, { view: "sessions", session: item.session }, `session ${item.session}`),
    h("span", null, `said by ${ORIGINS[item.origin] ?? item.origin}`),
    item.speaker && h("span", null, item.speaker),
    item.is_pinned && h("span", { class: "badge" }, icon("pin"), "Pinned"),
    h("span", { class: "faint" }, `#${item.id}`),
    item.public_id && h("span", { class: "faint mono" }, item.public_id));
}

function outdated(item, context, changes) {
  return h("div", { class: "banner" },
    h("p", null, "Outdated", item.outdated_at ? ` since ${fully(item.outdated_at)}` : "",
      ": kept to be read, told to no agent. ",
      item.superseded_by && link(context, { id: item.superseded_by },
        `What took its place: #${item.superseded_by}.`)),
    h("button", { class: "button", type: "button", onclick: () => changes.restore(item) }, "Restore"));
}

// The text, without the line that stands above it as the title.
function said(item) {
  const whole = item.text.trim();
  const above = headline(item).trim();
  const isFirstLine = whole === above || whole.startsWith(`${above}\n`);
  return isFirstLine ? whole.slice(above.length).trim() : whole;
}

function wholeText(text, terms) {
  if (!text) return null;
  const shown = h("div", { class: "prose" }, marked(text, terms));
  if (text.length <= LONG) return shown;
  shown.classList.add("is-folded");
  const button = h("button", { class: "button is-quiet", type: "button", "aria-expanded": "false",
    onclick: () => {
      const isFolded = shown.classList.toggle("is-folded");
      button.setAttribute("aria-expanded", !isFolded);
      button.replaceChildren(isFolded ? all : "Show less");
    } });
  const all = `Show all of it (${counted(text.length, "character")})`;
  button.append(all);
  return [shown, button];
}

function list(items, className = "plain-list") {
  return items?.length > 0 && h("ul", { class: className }, items.map((each) => h("li", null, each)));
}

const chips = (items) => items?.length > 0 &&
  h("p", { class: "chips" }, items.map((each) => h("span", { class: "chip" }, each)));

function portrait(item) {
  const told = item.portrait;
  if (!told) return chipsPart("Tags", item.tags, item.concepts);
  const isModel = told.made_by && !OWN_READERS.includes(told.made_by);
  const isNew = (text) => text && ![headline(item), item.text].some((said) => alike(said, text));
  const concepts = [...new Set([...(told.concepts ?? []), ...(item.tags ?? [])])];
  const isMore = told.facts?.length || [told.title, told.subtitle, told.narrative].some(isNew);
  if (!isMore) return chipsPart("Concepts", concepts);
  return part(isModel ? `As ${told.made_by} read it` : "What it comes to",
    isNew(told.title) && h("p", null, worded(told.title)),
    isNew(told.subtitle) && h("p", { class: "soft" }, worded(told.subtitle)),
    isNew(told.narrative) && h("p", { class: "prose" }, worded(told.narrative)),
    list(told.facts, "facts"),
    chips(concepts));
}

function chipsPart(title, ...lists) {
  const all = [...new Set(lists.flat().filter(Boolean))];
  return all.length > 0 && part(title, chips(all));
}

const alike = (one, other) => one.trim().replace(/\.$/, "") === other.trim().replace(/\.$/, "");

const RECAP = [
  ["request", "Asked"], ["investigated", "Looked into"], ["learned", "Learned"],
  ["completed", "Done"], ["next_steps", "Next"], ["notes", "Notes"],
];

function recap(told) {
  if (!told) return null;
  const said = RECAP.filter(([name]) => told[name]);
  return part("What the session came to", table(said.map(([name, title]) => [title, told[name]])));
}

function table(rows) {
  return rows.length > 0 && h("dl", { class: "pairs" }, rows.map(([name, value]) =>
    h("div", null, h("dt", null, name), h("dd", null, value))));
}

function claim(told) {
  if (!told) return null;
  return part("As a fact", table([
    ["About", told.subject],
    ["Category", told.category],
    ["Confidence", told.confidence === null || told.confidence === undefined
      ? null : `${Math.round(told.confidence * 100)} %`],
    ["Because", told.reason],
  ].filter(([, value]) => value)));
}

function frame(told, context) {
  if (!told) return null;
  return part("Where work stood",
    table([
      ["Summary", told.summary_caption],
      ["Next", told.next_action], ["Branch", told.branch], ["Ticket", told.jira],
      ["Blockers", list([...(told.blockers ?? []), ...(told.merge_blockers ?? [])])],
      ["Failing tests", list(told.tests_failing)],
      ["Modules", chips(told.module_scope)],
    ].filter(([, value]) => value)),
    link(context, { view: "frames", frame: told.id }, "Show the frame and its neighbourhood"));
}

function prompt(item, context) {
  if (!item.prompt || item.prompt.id === item.id) return null;
  return part("Done for", h("blockquote", { class: "quote" },
    link(context, { id: item.prompt.id }, item.prompt.text)));
}

function files(item, context) {
  const read = item.portrait?.files_read ?? item.recap?.files_read ?? [];
  const changed = item.portrait?.files_modified ?? item.recap?.files_edited ?? [];
  const all = [...new Set([item.file, ...changed, ...read, ...(item.files ?? [])].filter(Boolean))];
  return part("Files", list(all.map((path) => [
    link(context, { file: path, id: null, q: null },
      h("span", { class: "mono", title: path }, path)),
    changed.includes(path) && h("span", { class: "faint small" }, " changed"),
  ])));
}

function around(item, context) {
  const { before = [], after = [] } = item.neighbours ?? {};
  const row = (each) => h("li", { dataset: { kind: each.kind } },
    link(context, { id: each.id }, h("span", { class: "kind" }, h("span", null, worded(headline(each))))),
    h("span", { class: "unseen" }, kindText(each)),
    each.file && h("span", { class: "faint small mono" }, shortPath(each.file)));
  if (!before.length && !after.length) return null;
  return part("Before and after", h("ol", { class: "around" }, before.map(row),
    h("li", { class: "is-here", "aria-current": "true", dataset: { kind: item.kind } },
      h("span", { class: "kind" }, h("span", null, worded(headline(item))))), after.map(row)));
}

function history(changes) {
  if (!changes?.length) return null;
  return part(`History: ${counted(changes.length, "change")}`, h("ol", { class: "history" },
    changes.map((each) => h("li", null,
      h("p", { class: "small soft" }, `Until ${fully(each.changed_at)}`,
        each.reason ? `: ${each.reason}` : ""),
      each.title && h("p", null, h("strong", null, each.title)),
      h("p", { class: "prose" }, each.text)))));
}

function source(item) {
  const told = item.event ?? item.detail;
  return part("Source",
    table([["Event", item.source_event], ["Tool", item.tool_name], ["Type", item.type]]
      .filter(([, value]) => value)),
    told && h("details", null, h("summary", null, "The event, as it was kept"),
      h("pre", { class: "source", tabindex: 0, role: "region", "aria-label": "The event" },
        JSON.stringify(told, null, 2))));
}
