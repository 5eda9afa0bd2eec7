// The live panel: what happens while one looks, how much waits, and what the next session is told.

import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { plainly } from "../rows.js";
import { calmly, emptiness, isNewDay, storyLine } from "../story.js";
import { clockTime, count, counted, dayName, fully } from "../time.js";
import { virtualList } from "../virtual.js";
import { nextSession } from "./next.js";

const FIRST = 40;
const MOST = 400;
const AFTER = 350;
const EVERY = 2000;
const AWAY = 80;
const DEPTHS = [["pending", "waiting"], ["processing", "being read"], ["failed", "failed"]];
const STATES = { active: "is at work", idle: "has nothing left to read", completed: "is complete",
  failed: "failed" };

export const panel = { id: "live", title: "Live", key: "5", mount };

function mount(root, context) {
  const { api, live } = context;
  const opened = new Map();
  const held = []; // what came while the feed was held
  let isHeld = false;
  let asking = null;
  let hasBegun = false;
  let depth = null;
  let seen = 0;
  let newest = 0;
  let above = 0; // what came while one was reading further down

  const list = virtualList({ label: "What happens", key: (entry) => entry.key, estimate: 72, render,
    onOpen: ({ item }) => item && context.go({ view: "memory", id: item.id }) });
  const absent = h("div", { class: "list-empty" });
  const pause = h("button", { class: "button", type: "button", "aria-pressed": "false",
    onclick: () => hold(!isHeld) }, "Hold");
  const more = h("button", { class: "button is-main live-more", type: "button", hidden: true,
    onclick: () => (hold(false), toTop()) });
  const numbers = new Map(DEPTHS.map(([name]) => [name, h("dd", null, "–")]));
  const spool = h("p", { class: "small soft" });
  const since = h("p", { class: "small soft" });
  const next = nextSession(context);

  root.append(h("div", { class: "live-panel" },
    h("section", { class: "live-feed", "aria-label": "As it happens" },
      h("header", { class: "live-head" }, h("h1", null, "Live"), since, pause),
      h("div", { class: "listing-body" }, list.element, absent, more)),
    h("div", { class: "live-side" },
      h("section", { class: "live-queue", "aria-label": "Queue" },
        h("h2", null, "Queue"),
        h("dl", { class: "depths" }, DEPTHS.map(([name, label]) =>
          h("div", { dataset: { depth: name } }, numbers.get(name), h("dt", null, label)))),
        spool),
      next.element)));
  waiting();

  function waiting() {
    fill(absent, emptiness("Waiting for something to happen",
      h("p", null, "What your agents do appears here the moment it is kept. To see it work, say ",
        "something yourself:"),
      h("pre", null, 'recollect mark "Hello, memory"')));
    shown();
  }

  function shown() {
    absent.hidden = !hasBegun || list.items.length > 0;
    list.element.hidden = list.items.length === 0;
    fill(since, seen ? `${counted(seen, "event")} since this was opened` : "Quiet since this was opened");
  }

  function render(entry) {
    return entry.item ? arrived(entry) : noticed(entry);
  }

  function arrived({ item, isNew }) {
    const to = { view: "sessions", session: item.session };
    const more = [h("span", { class: "line-mark" }, item.project),
      item.session !== null && h("a", { class: "line-mark", href: context.href(to),
        onclick: plainly(() => context.go(to)) }, `session ${item.session}`),
      isNewDay(item.created_at, Date.now())
        && h("span", { class: "line-mark" }, dayName(item.created_at))];
    return h("div", { class: isNew ? "trace-row is-new" : "trace-row" },
      storyLine(item, context, { told: opened, redraw: list.redraw, more }));
  }

  function noticed({ at, words, session, isBad }) {
    const to = { view: "sessions", session };
    return h("div", { class: "trace-row" }, h("p", { class: isBad ? "notice is-bad" : "notice" },
      h("time", { class: "line-time", title: fully(at), datetime: new Date(at).toISOString() },
        clockTime(at)),
      h("span", null,
        session && h("a", { href: context.href(to), onclick: plainly(() => context.go(to)) },
          `Session ${session}`), session ? " " : "", words)));
  }

  // Newest first; what is being read is not moved, and while it is held nothing comes at all.
  function take(entries) {
    const known = new Set([...list.items, ...held].map(({ key }) => key));
    const fresh = entries.filter(({ key }) => !known.has(key));
    if (!fresh.length) return;
    if (isHeld) held.unshift(...fresh);
    else {
      if (list.element.scrollTop >= AWAY) above += fresh.length;
      list.set([...fresh, ...list.items].slice(0, MOST));
    }
    shown();
    told();
  }

  function hold(isNow) {
    isHeld = isNow;
    pause.setAttribute("aria-pressed", isHeld);
    if (!isHeld && held.length) {
      const some = held.splice(0);
      list.set([...some, ...list.items].slice(0, MOST));
      shown();
    }
    told();
  }

  // Who reads further down stays there, and is told that there is something above.
  function told() {
    if (list.element.scrollTop < AWAY) above = 0;
    const number = held.length + above;
    more.hidden = !number;
    if (number) fill(more, icon("back"), `${count(number)} more came`);
  }

  function toTop() {
    above = 0;
    list.element.scrollTop = 0;
    told();
  }

  async function memories() {
    if (asking) return;
    asking = new AbortController();
    try {
      const page = await api.get("/api/viewer/memories", { limit: FIRST },
        { signal: asking.signal });
      const fresh = page.items.filter(({ id }) => id > newest);
      newest = Math.max(newest, ...page.items.map(({ id }) => id));
      const isFirst = !hasBegun;
      hasBegun = true;
      if (isFirst) list.set(page.items.map((item) => ({ key: `m${item.id}`, item })));
      else if (fresh.length) {
        seen += fresh.length;
        take(fresh.map((item) => ({ key: `m${item.id}`, item, isNew: true })));
        next.refresh();
        if (!isHeld) context.announce(`${counted(fresh.length, "new memory", "new memories")}`);
      }
      shown();
    } catch {
      // The line about the connection says it; the next event, or the next look, tries again.
    }
    asking = null;
  }

  function happened(notice) {
    const { id, topic, at, facts } = notice;
    const session = facts.sessionDbId ?? null;
    const entry = { key: `n${id}-${topic}`, at, session };
    if (topic === "queue.depth") depths(facts);
    else if (topic === "queue.failed") {
      note({ ...entry, isBad: true, words: `could not be read: ${facts.error}` });
    } else if (topic === "session.status") {
      note({ ...entry, words: STATES[facts.status] ?? `is ${facts.status}` });
    } else if (topic === "model.result") {
      const isBad = facts.status !== "success";
      const sort = String(facts.messageType ?? "").replaceAll("_", " ");
      note({ ...entry, isBad, words: `${isBad ? "could not be told" : "was read"} by ${facts.model}`
        + `${sort ? ` (${sort})` : ""}` });
    }
    soon();
  }

  function note(entry) {
    seen += 1;
    take([entry]);
  }

  function depths(facts) {
    depth = facts;
    for (const [name, number] of numbers) {
      fill(number, count(facts[name] ?? 0));
      number.parentElement.classList.toggle("is-some", (facts[name] ?? 0) > 0);
    }
  }

  async function overview() {
    try {
      const whole = await context.overview({ isFresh: true });
      if (!depth) depths(whole.queue);
      const { waiting: number, put_aside: aside } = whole.spool;
      fill(spool, number ? `${counted(number, "event")} captured, not yet taken up`
        : "Everything captured is taken up",
      aside.length > 0 && h("span", { class: "problem" },
        `; ${counted(aside.length, "file")} put aside, see Operations`));
    } catch (error) {
      fill(spool, error.message);
    }
  }

  const soon = calmly(() => {
    memories();
    overview();
  }, AFTER);
  // A capture that makes no work for the queue is told by nobody: look, as long as somebody looks.
  const looking = setInterval(() => document.hidden || memories(), EVERY);
  list.element.addEventListener("scroll", told, { passive: true });
  const stops = [live.on("*", happened), live.onResume(soon)];
  memories();
  overview();

  return {
    keys: {
      j: () => list.move(1),
      k: () => list.move(-1),
      " ": () => hold(!isHeld),
      Escape: () => isHeld && (hold(false), true),
    },
    help: [["Space", "hold the feed, or let it go on"], ["j / k", "the next and the one before"]],
    update: (state) => next.update(state),
    unmount() {
      for (const stop of stops) stop();
      clearInterval(looking);
      soon.stop();
      asking?.abort();
      next.unmount();
      list.destroy();
    },
  };
}
