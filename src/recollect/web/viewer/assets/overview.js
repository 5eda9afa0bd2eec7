// What the store holds, all in all: asked once and shared by whoever shows some of it. In a large
// store it takes its time to count, so the worker is asked for a fresh one now and then only,
// however much happens meanwhile.

const REST = 4; // times as long as the last answer took

// `ask()` gives what the worker tells; returns `overview({ isFresh })`, a promise of it.
export function overviews(ask) {
  let latest = null;
  let isWaiting = false; // a fresh one is about to be asked for, which will do for everybody
  let from = 0;

  async function asked(before) {
    await before?.catch(() => {}); // whoever asked for that one is told of its problem
    await new Promise((done) => { setTimeout(done, from - performance.now()); });
    isWaiting = false;
    const began = performance.now();
    try {
      return await ask();
    } finally {
      const now = performance.now();
      from = now + REST * (now - began);
    }
  }

  return ({ isFresh = false } = {}) => {
    if (latest && (!isFresh || isWaiting)) return latest;
    isWaiting = true;
    const mine = asked(latest).catch((error) => {
      if (latest === mine) latest = null;
      throw error;
    });
    latest = mine;
    return mine;
  };
}
