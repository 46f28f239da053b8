// One experiment: how far it is, its report, and everything to download.

/** @import { Captioned, Experiment } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { button, el, fill, link } from "../dom.js";
import { Paces, progressParts } from "../parts/lab.js";
import { morph } from "../parts/morph.js";
import { openFeed } from "../parts/poll.js";
import { ReportFrame } from "../parts/report.js";

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ params, signal }) {
  const path = api.labPath((params[0] ?? "").trim());
  const feed = await openFeed(path, signal);
  /** @type {Experiment} */
  const first = feed.first;
  const paces = new Paces();
  const progress = el("div", { class: "lab-progress", data: { progress: "" } }, ...progressParts(first, paces.note(first)));
  const files = new Downloads(path, signal);
  files.show(first);
  const report = new Report(path, first, signal);
  feed.follow((/** @type {Experiment} */ news) => {
    morph(progress, ...progressParts(news, paces.note(news)));
    files.show(news);
    report.follow(news);
  });
  const body = [
    el("div", { class: "contest-head" },
      link("/lab", "All experiments", { class: "small" }),
      el("h1", null, first.title),
      ...paragraphs(first.question).map((text) => el("p", { class: "muted" }, text))),
    el("div", { class: "card" }, progress),
    files.node,
    report.node,
  ];
  return { name: "experiment", title: first.title, body, under: "/lab" };
}

/** @param {string} text */
const paragraphs = (text) => text.split(/\n\s*\n/).map((part) => part.trim()).filter((part) => part !== "");

/** The report. New results are announced, and shown when the reader wants them. */
class Report {
  /** @type {ReportFrame | null} */
  #frame = null;
  #path;
  #signal;
  #news = el("div", { class: "fresh", role: "status", data: { news: "" } });
  #latest = "";

  /**
   * @param {string} path
   * @param {Experiment} first
   * @param {AbortSignal} signal
   */
  constructor(path, first, signal) {
    this.#path = path;
    this.#signal = signal;
    this.node = el("section", { class: "report-part" }, this.#news);
    this.follow(first);
  }

  /** @param {Experiment} experiment */
  follow({ has_report, version, title }) {
    this.#latest = version;
    if (!has_report) return;
    if (!this.#frame) {
      this.#frame = new ReportFrame(`${this.#path}/report.html`, `The report: ${title}`, this.#signal);
      this.node.append(this.#frame.node);
      this.#frame.show(version);
    }
    if (this.#frame.shown === version || this.#news.hasChildNodes()) return;
    const refresh = button("Show them", () => this.#refresh(), { class: "small primary", data: { action: "refresh" } });
    fill(this.#news, el("span", null, "There are new results. "), refresh);
  }

  #refresh() {
    fill(this.#news);
    this.#frame?.show(this.#latest);
  }
}

/** The links to all files; made again only if there are others, so that what is open stays open. */
class Downloads {
  #path;
  #signal;
  #known = "";
  node = el("section", { class: "card downloads", data: { part: "downloads" } });

  /**
   * @param {string} path
   * @param {AbortSignal} signal
   */
  constructor(path, signal) {
    this.#path = path;
    this.#signal = signal;
  }

  /** @param {Experiment} experiment */
  show({ name, has_report, has_games, has_searches, no_pdf, tables, figures }) {
    const known = JSON.stringify([has_report, has_games, has_searches, no_pdf, tables, figures]);
    if (known === this.#known) return;
    this.#known = known;
    const isOpen = this.node.querySelector("details")?.open ?? false;
    fill(this.node,
      el("h2", null, "Downloads"),
      el("div", { class: "row" },
        has_report && this.#save("report.html", "Report (HTML)"),
        has_report && this.#print(name, no_pdf),
        has_report && this.#save("report.md", "Report (Markdown)"),
        has_games && this.#save("games.csv", "Games (CSV)"),
        has_searches && this.#save("searches.csv", "Searches (CSV)"),
        this.#save("experiment.toml", "Experiment (TOML)")),
      has_report && no_pdf && el("p", { class: "muted small", id: "no-pdf" }, no_pdf),
      tables.length + figures.length > 0 && el("details", { open: isOpen },
        el("summary", null, "Tables and figures, one by one"),
        el("ul", { class: "pieces" },
          ...tables.map((table) => this.#piece(table, "tables", ["csv", "json"])),
          ...figures.map((figure) => this.#piece(figure, "figures", ["svg"])))));
  }

  /**
   * @param {string} file
   * @param {string} label
   */
  #save(file, label) {
    return link(`${this.#path}/${file}`, label, { class: "button small", download: true, data: { file } });
  }

  /**
   * @param {Captioned} piece
   * @param {string} folder
   * @param {string[]} forms
   */
  #piece({ id, caption }, folder, forms) {
    const links = forms.map((form) => link(`${this.#path}/${folder}/${encodeURIComponent(id)}.${form}`, form.toUpperCase(), {
      class: "button small", download: true, "aria-label": `${caption} (${form.toUpperCase()})`, data: { file: `${id}.${form}` },
    }));
    return el("li", null, el("span", { class: "small" }, caption), el("span", { class: "row" }, ...links));
  }

  /**
   * A PDF is made when it is asked for, which takes seconds and may fail.
   * @param {string} name
   * @param {string | null} noPdf
   */
  #print(name, noPdf) {
    const label = "Report (PDF)";
    const made = button(label, () => void run(), {
      class: "small", disabled: noPdf !== null, "aria-describedby": noPdf === null ? null : "no-pdf", data: { file: "report.pdf" },
    });
    const run = async () => {
      made.disabled = true;
      made.textContent = "Printing…";
      try {
        saveAs(await api.blob(`${this.#path}/report.pdf`, this.#signal), `${name}.pdf`);
        made.textContent = label;
      } catch (error) {
        if (api.isAbort(error)) return;
        made.textContent = label;
        made.after(el("span", { class: "error small", role: "alert" }, api.messageOf(error)));
      }
      made.disabled = false;
    };
    return made;
  }
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
function saveAs(blob, name) {
  const href = URL.createObjectURL(blob);
  el("a", { href, download: name }).click();
  window.setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
