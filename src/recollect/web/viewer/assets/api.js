// The worker, asked over HTTP. Answers are JSON; what goes wrong is a `Problem` whose message can
// be shown to people. When the worker wants its token, whoever holds the door is asked to let us
// in, and the question is asked again.

export class Problem extends Error {
  constructor(message, status) {
    super(message);
    this.name = "Problem";
    this.status = status;
  }
}

// `letIn` returns a promise that is kept once the token was accepted.
export function worker({ letIn }) {
  let entering = null;

  function entered() {
    entering ??= letIn().finally(() => {
      entering = null;
    });
    return entering;
  }

  async function ask(method, path, { query, body, signal, keepalive } = {}) {
    const response = await sent(method, url(path, query), { body, signal, keepalive });
    if (response.status !== 401) return answer(response);
    await entered();
    return ask(method, path, { query, body, signal, keepalive });
  }

  return {
    get: (path, query, options) => ask("GET", path, { query, ...options }),
    post: (path, body, options) => ask("POST", path, { body: body ?? {}, ...options }),
    del: (path, options) => ask("DELETE", path, options),
    url,
  };
}

// Asked without letting anybody in: for the door itself.
export async function plain(method, path, body) {
  return answer(await sent(method, path, { body }));
}

// A path with its query; what is empty is left out.
export function url(path, query = {}) {
  const pairs = Object.entries(query ?? {})
    .filter(([, value]) => value !== null && value !== undefined && value !== "");
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

// Whether a question was called back, which is nobody's problem.
export function isAborted(error) {
  return error?.name === "AbortError";
}

async function sent(method, address, { body, signal, keepalive }) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    return await fetch(address, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      keepalive,
      credentials: "same-origin",
    });
  } catch (error) {
    if (isAborted(error)) throw error;
    throw new Problem("The worker does not answer. Is it running? recollect up starts it.", 0);
  }
}

async function answer(response) {
  const text = await response.text();
  const told = parsed(text);
  if (response.ok) {
    if (told === undefined && text) throw new Problem("The worker answered, but not in JSON.", 502);
    return told ?? null;
  }
  const words = typeof told?.error === "string" ? told.error : told?.error?.message;
  throw new Problem(words || `The worker answered ${response.status}.`, response.status);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
