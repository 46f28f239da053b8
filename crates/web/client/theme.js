// Runs before the page is drawn, so that it never flashes in the wrong colours.
(() => {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  /** @type {string | null} */
  let chosen = null;
  try {
    chosen = localStorage.getItem("agon.theme");
  } catch {
    // Without storage, the system's preference applies.
  }
  const apply = () => {
    document.documentElement.dataset.theme = chosen ?? (dark.matches ? "dark" : "light");
  };
  apply();
  if (chosen === null) dark.addEventListener("change", apply);
})();
