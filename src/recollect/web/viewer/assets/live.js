// What happens in the worker, as it happens: one stream for the whole page. A break is healed by
// the browser, which tells the worker what it has seen last; where it gives up (the worker is still
// starting, or asks for its token) we begin again. A page that nobody sees holds no connection: a
// browser has only six of them for one worker, whatever the number of windows.

export const TOPICS = ["queue.depth", "session.status", "queue.failed", "model.result"];

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
const UNSEEN_FOR = 20_000;

// `status` is "connecting", "open", "lost" or "resting". `knock` is asked before a stream is begun: a
// refused one tells no reason, and a question that is refused for want of a token asks for it.
export function liveStream({ knock, path = "/api/events" }) {
  const listeners = new Map();
  const watchers = new Set();
  const resumers = new Set();
  let source = null;
  let status = "connecting";
  let wait = FIRST_WAIT;
  let timer = 0;
  let beginning = null;
  let hasBeenOpen = false;

  function become(next) {
    if (next === status) return;
    status = next;
    for (const watcher of watchers) watcher(status);
  }

  function opened() {
    wait = FIRST_WAIT;
    become("open");
    if (hasBeenOpen) for (const resumer of resumers) resumer();
    hasBeenOpen = true;
  }

  function broken() {
    become("lost");
    const isTrying = source && source.readyState !== EventSource.CLOSED;
    if (!isTrying) again(); // otherwise the browser does
  }

  function again() {
    close();
    timer = setTimeout(begin, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }

  async function begin() {
    const mine = (beginning = {});
    close();
    try {
      await knock();
    } catch {
      if (mine === beginning) broken();
      return;
    }
    if (mine === beginning) connect();
  }

  function told(topic, event) {
    let facts;
    try {
      facts = JSON.parse(event.data);
    } catch {
      return; // not ours; the stream goes on
    }
    const notice = { id: event.lastEventId, topic, at: facts.ts ?? Date.now(), facts };
    for (const name of [topic, "*"]) {
      for (const listener of listeners.get(name) ?? []) listener(notice);
    }
  }

  function connect() {
    close();
    source = new EventSource(path);
    source.onopen = opened;
    source.onerror = broken;
    for (const topic of TOPICS) source.addEventListener(topic, (event) => told(topic, event));
  }

  function close() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(rest, UNSEEN_FOR);
    else if (!source) begin();
  });

  function rest() {
    beginning = null;
    close();
    become("resting");
  }

  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) begin();
  });

  return {
    get status() {
      return status;
    },
    begin,
    // Called with every notice of a topic, or with all of them for "*"; returns how to stop that.
    on(topic, listener) {
      if (!listeners.has(topic)) listeners.set(topic, new Set());
      listeners.get(topic).add(listener);
      return () => listeners.get(topic).delete(listener);
    },
    onStatus(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    // Called when the stream is back after a break: what was shown may be old.
    onResume(resumer) {
      resumers.add(resumer);
      return () => resumers.delete(resumer);
    },
  };
}
