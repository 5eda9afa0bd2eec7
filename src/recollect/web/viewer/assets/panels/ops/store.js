// How the store, its indexes, the spool and the model do, and what takes how much space.

import { fill, h } from "../../dom.js";
import { ago, bytes, count, counted, fully, lasting } from "../../time.js";
import { card, pairs } from "./rows.js";

const BACKENDS = { sqlite: "the store", chroma: "Chroma", hybrid: "the store and Chroma" };
const VIEWS = { text: "texts", matter: "facts' matters" };
const COUNTERS = [["success", "Read well"], ["parse_fail", "No JSON"], ["schema_fail", "Wrong shape"],
  ["repair_fail", "Not repaired"], ["fallback_used", "By rules"]];
const AGENTS = { observation: "Observations", summary: "Summaries" };
const COLUMNS = [["Project"], ["Size"], ["Memories", true], ["Sessions", true], ["Latest"]];
const SURE_FOR = 5000; // milliseconds that a second press counts

export function indexHealth() {
  const part = card("Index");
  const body = h("div", { class: "ops-body" });
  part.element.append(body);

  return { ...part, refresh(status, overview) {
    const { sourceTotals: totals, sqlite, chroma } = status;
    const { index, embedder, embedder_reason: because } = overview ?? {};
    fill(body, pairs([
      ["Meanings from", BACKENDS[status.backend] ?? status.backend],
      ["There are", `${counted(totals.observations, "observation")}, `
        + `${counted(totals.summaries, "summary", "summaries")}, ${counted(totals.prompts, "prompt")}`],
      index && ["Found by words", share(index.words, index.memories, "memories")],
      index && ["Ranked", `${counted(index.ranked, "entry", "entries")} in `
        + `${counted(index.segments, "segment")}${index.waiting ? `, ${count(index.waiting)} to come` : ""}`],
      ...(index?.meaning ?? []).map(({ view, covered, wanted }) =>
        [`Meaning of ${VIEWS[view] ?? view}`, share(covered, wanted, "have a vector")]),
      !index?.meaning?.length && sqlite.enabled
        && ["With a vector", share(sqlite.observationEmbeddings, totals.observations, "observations")],
      ["Chroma", !chroma.configured ? "not configured"
        : chroma.reachable === false ? h("span", { class: "ops-bad" }, "does not answer") : "answers"],
      overview && ["Embedder", embedder?.name ?? "none: search is by words alone",
        because && h("span", { class: "soft" }, ` (${because})`)],
    ]));
  } };
}

export function storeHealth() {
  const part = card("Spool and store");
  const body = h("div", { class: "ops-body" });
  part.element.append(body);

  return { ...part, refresh({ version, uptime_ms: uptime, port, store, health, spool }) {
    fill(body, pairs([
      ["Health", health.is_sound ? h("span", { class: "ops-good" }, "sound")
        : h("ul", null, health.problems.map((each) => h("li", { class: "ops-wrong" }, each)))],
      ["Waits in the spool", spool.waiting ? counted(spool.waiting, "event") : "nothing",
        spool.oldest_at ? `, the oldest from ${ago(spool.oldest_at)}` : ""],
      ["Put aside", spool.put_aside ? h("details", null,
        h("summary", { class: "ops-wrong" }, counted(spool.put_aside, "event")),
        h("ul", null, spool.aside.map(({ name, reason }) =>
          h("li", null, h("code", null, name), ` ${reason}`))))
        : "nothing"],
      ["Store", h("span", { class: "ops-whole mono" }, store.path)],
      ["Size", bytes(store.bytes), store.log_bytes ? `, and ${bytes(store.log_bytes)} of log` : "",
        store.is_encrypted ? ", encrypted" : ", not encrypted"],
      ["Engine", store.engine],
      ["Worker", `${version}, up for ${lasting(uptime)}, on port ${port}`],
    ]));
  } };
}

export function modelCounters({ reset }) {
  const rows = h("tbody");
  let timer = 0;
  const zero = h("button", { class: "button is-quiet", type: "button", onclick: pressed }, "Set to zero");
  const part = card("Model results", { beside: zero },
    h("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Counters" },
      h("table", { class: "table" },
        h("thead", null, h("tr", null, h("th", { scope: "col" }, "What"), COUNTERS.map(([, title]) =>
          h("th", { class: "number", scope: "col" }, title)))), rows)),
    h("p", { class: "small soft" }, "How well a language model's answers could be read. "
      + "Where there is no model, rules read everything."));

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

// "12 of 20 memories", and as a bar.
function share(some, all, of) {
  const part = all ? Math.min(1, some / all) : 1;
  return [`${count(some)} of ${count(all)} ${of}`,
    h("span", { class: "ops-meter", "aria-hidden": "true" },
      h("span", { style: { width: `${part * 100}%` } }))];
}
