// What happens in the worker, as it happens: one stream for the whole page. A break is healed by
// the browser, which tells the worker what it has seen last; where it gives up (the worker is still
// starting, or asks for its token) we begin again. A page that nobody sees holds no connection: a
// browser has only six of them for one worker, whatever the number of windows.

export const TOPICS = ["queue.depth", "session.status", "queue.failed", "model.result"];

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
const UNSEEN_FOR = 20_000;

// `status` is "connecting", "open", "lost" or "resting".
export function liveStream(path = "/api/events") {
  const listeners = new Map();
  const watchers = new Set();
  const resumers = new Set();
  let source = null;
  let status = "connecting";
  let wait = FIRST_WAIT;
  let timer = 0;
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
    if (source?.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
    again();
  }

  function again() {
    close();
    timer = setTimeout(connect, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT);
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
    else if (!source) connect();
  });

  function rest() {
    close();
    become("resting");
  }

  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) connect();
  });

  return {
    get status() {
      return status;
    },
    connect,
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
