// The report of an experiment inside our page: a frame as high as its contents, so that the page scrolls and not the frame.

import { el } from "../dom.js";
import { theme } from "./settings.js";

export class ReportFrame {
  #address;
  #title;
  #signal;
  /** @type {HTMLIFrameElement | null} */
  #frame = null;
  /** The version that is shown, or about to be. */
  shown = "";

  /**
   * @param {string} address
   * @param {string} title
   * @param {AbortSignal} signal  ends it
   */
  constructor(address, title, signal) {
    this.#address = address;
    this.#title = title;
    this.#signal = signal;
    this.node = el("div", { class: "report", data: { report: "" } });
    const themes = new MutationObserver(() => this.#paint());
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    signal.addEventListener("abort", () => themes.disconnect());
  }

  /**
   * Loads a version, and shows it in place of the one before when it is there. The page keeps its scroll
   * position: the new frame has its full height from the start.
   * @param {string} version
   */
  show(version) {
    this.shown = version;
    // The report has no scripts. Only because it counts as ours can it be measured.
    const frame = el("iframe", { title: this.#title, sandbox: "allow-same-origin", class: "loading", src: `${this.#address}?v=${encodeURIComponent(version)}` });
    frame.addEventListener("load", () => {
      if (this.#signal.aborted || this.shown !== version) return frame.remove();
      const old = this.#frame;
      this.#frame = frame;
      this.#paint();
      this.#fit(frame);
      frame.classList.remove("loading");
      old?.remove();
    });
    this.node.append(frame);
  }

  /** Gives the report our colours. */
  #paint() {
    const root = this.#frame?.contentDocument?.documentElement;
    if (root) root.style.colorScheme = theme();
  }

  /**
   * Keeps the frame as high as the report, also when the window gets narrower.
   * @param {HTMLIFrameElement} frame
   */
  #fit(frame) {
    const root = frame.contentDocument?.documentElement;
    if (!root) return;
    const fit = () => {
      frame.style.height = `${Math.ceil(root.getBoundingClientRect().height)}px`;
    };
    const sizes = new ResizeObserver(fit);
    sizes.observe(root);
    this.#signal.addEventListener("abort", () => sizes.disconnect());
    fit();
  }
}
