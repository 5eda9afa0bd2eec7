// How the store, its indexes, the spool and the model do, and what takes how much space.

import { fill, h } from "../../dom.js";
import { ago, bytes, count, counted, fully, lasting } from "../../time.js";
import { card, pairs } from "./rows.js";

const BACKENDS = { sqlite: "the store", chroma: "Chroma", hybrid: "the store and Chroma" };
const COUNTERS = [["success", "Read well"], ["parse_fail", "No JSON"], ["schema_fail", "Wrong shape"],
  ["repair_fail", "Not repaired"], ["fallback_used", "Rules instead"]];
const AGENTS = { observation: "Observations", summary: "Summaries" };
const COLUMNS = [["Project"], ["Size"], ["Memories", true], ["Sessions", true], ["Latest"]];
const SURE_FOR = 5000; // milliseconds that a second press counts

export function indexHealth() {
  const part = card("Index");
  const body = h("div", { class: "ops-body" });
  part.element.append(body);

  return { ...part, refresh(status, overview) {
    const { sourceTotals: totals, sqlite, chroma } = status;
    const all = totals.observations;
    const share = all ? Math.min(1, sqlite.observationEmbeddings / all) : 1;
    fill(body, pairs([
      ["Meanings from", BACKENDS[status.backend] ?? status.backend],
      ["Observations", count(all)],
      ["Summaries", count(totals.summaries)],
      ["Prompts", count(totals.prompts)],
      sqlite.enabled && ["With a vector", `${count(sqlite.observationEmbeddings)} of ${count(all)}`,
        meter(share, "Observations with a vector")],
      ["Chroma", !chroma.configured ? "not configured"
        : chroma.reachable === false ? h("span", { class: "ops-bad" }, "does not answer") : "answers"],
      ...plainPairs(overview?.index),
      overview?.embedder && ["Embedder", overview.embedder.name, overview.embedder.reason
        && h("span", { class: "soft" }, ` ${overview.embedder.reason}`)],
      overview && overview.embedder === null && ["Embedder", "none: search is by words alone"],
    ]));
  } };
}

export function spoolHealth() {
  const part = card("Spool and store");
  const body = h("div", { class: "ops-body" });
  part.element.append(body);

  return { ...part, refresh(stats, overview) {
    const spool = overview?.spool;
    fill(body, pairs([
      spool && ["Waits in the spool", count(spool.waiting),
        spool.oldest_at ? `, the oldest since ${ago(spool.oldest_at)}` : ""],
      spool && ["Put aside",
        spool.put_aside ? h("span", { class: "ops-bad" }, count(spool.put_aside)) : "nothing",
        spool.put_aside ? h("span", { class: "soft" }, " recollect doctor says why") : ""],
      ...plainPairs(overview?.health),
      ["Worker", `${stats.worker.version}, up for ${lasting(stats.worker.uptime * 1000)}`],
      ["Sessions at work", count(stats.worker.activeSessions)],
      ["Store", h("span", { class: "ops-whole mono" }, stats.database.dbPath)],
    ]));
  } };
}

export function modelCounters({ reset }) {
  const rows = h("tbody");
  let timer = 0;
  const zero = h("button", { class: "button is-quiet", type: "button", onclick: pressed }, "Set to zero");
  const part = card("Model results", { beside: zero },
    h("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Model results" },
      h("table", { class: "table" },
        h("thead", null, h("tr", null, h("th", { scope: "col" }, "What"), COUNTERS.map(([, title]) =>
          h("th", { class: "number", scope: "col" }, title)))), rows)),
    h("p", { class: "small soft" }, "How well a language model's answers could be read. "
      + "Where none is configured, rules read everything and these stay at zero."));

  // Twice, because there is no way back.
  function pressed() {
    clearTimeout(timer);
    if (zero.classList.contains("is-danger")) {
      calm();
      reset();
      return;
    }
    zero.classList.add("is-danger");
    zero.textContent = "Sure? Press again";
    timer = setTimeout(calm, SURE_FOR);
  }

  function calm() {
    zero.classList.remove("is-danger");
    zero.textContent = "Set to zero";
  }

  return { ...part, destroy: () => clearTimeout(timer), refresh({ metrics }) {
    fill(rows, Object.entries(metrics).map(([agent, counters]) => h("tr", null,
      h("th", { scope: "row" }, AGENTS[agent] ?? agent), COUNTERS.map(([name]) =>
        h("td", { class: "number" }, count(counters[name] ?? 0))))));
  } };
}

export function storage({ go, href }) {
  const body = h("div", { class: "ops-body" });
  const note = h("span", { class: "small soft" });
  const part = card("Storage by project", { wide: true, note }, body);

  return { ...part, refresh({ projects }) {
    const sorted = [...projects].sort((one, other) => other.bytes - one.bytes);
    const most = Math.max(1, ...sorted.map((each) => each.bytes));
    const all = sorted.reduce((sum, each) => sum + each.bytes, 0);
    note.textContent = sorted.length ? `${bytes(all)} in ${counted(sorted.length, "project")}` : "";
    if (!sorted.length) {
      fill(body, h("p", { class: "ops-none soft" }, "Nothing is stored yet."));
      return;
    }
    fill(body, h("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Projects" },
      h("table", { class: "table ops-storage" },
        h("thead", null, h("tr", null, COLUMNS.map(([name, isNumber]) =>
          h("th", { class: isNumber ? "number" : null, scope: "col" }, name)))),
        h("tbody", null, sorted.map((each) => row(each, most))))));
  } };

  function row(project, most) {
    const { name, bytes: size, memories, sessions, latest } = project;
    return h("tr", null,
      h("th", { scope: "row" }, h("a", { href: href({ view: "memory", project: name }),
        onclick: (event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          go({ view: "memory", project: name });
        } }, name || "(no project)")),
      h("td", { class: "ops-size" },
        h("span", { class: "ops-fill", "aria-hidden": "true",
          style: { width: `${Math.max(1, (size / most) * 100)}%` } }),
        h("span", null, bytes(size))),
      h("td", { class: "number" }, count(memories)),
      h("td", { class: "number" }, count(sessions)),
      h("td", { title: latest ? fully(latest) : null }, latest ? ago(latest) : "–"));
  }
}

function meter(share, label) {
  return h("span", { class: "ops-meter", role: "img",
    "aria-label": `${label}: ${Math.round(share * 100)} %` },
  h("span", { style: { width: `${share * 100}%` } }));
}

// What the overview tells beyond what is named above, in its own words.
function plainPairs(facts) {
  return Object.entries(facts ?? {}).filter(([, value]) => value === null || typeof value !== "object")
    .map(([name, value]) => [named(name), typeof value === "number" ? count(value) : plain(value)]);
}

const named = (name) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;
const plain = (value) => ({ true: "yes", false: "no", null: "–" })[String(value)] ?? String(value);
