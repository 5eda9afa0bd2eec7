// The reader's choice of light or dark, before the first paint. Not a module: those come too late.
try {
  const chosen = localStorage.getItem("recollect.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden; then the system decides.
}
