// Small choices of the reader that outlive the page. Storage may be forbidden or full, and then
// they last as long as the page does.

const held = new Map();

export function kept(name, otherwise = null) {
  if (held.has(name)) return held.get(name);
  try {
    return localStorage.getItem(`recollect.${name}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function keep(name, value) {
  held.set(name, value);
  try {
    if (value === null) localStorage.removeItem(`recollect.${name}`);
    else localStorage.setItem(`recollect.${name}`, value);
  } catch {
    // It is held above.
  }
}
