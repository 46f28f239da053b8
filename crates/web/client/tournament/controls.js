// What those who run a tournament can do: pause it, go on, let agents join, change its file, delete it.

/** @import { Tournament } from "../api-types" */

import * as api from "../api.js";
import { button, el, fill, freshId } from "../dom.js";
import { ask, openDialog } from "../parts/dialog.js";
import { withSecret } from "./secret.js";
import { withAgent } from "./toml.js";

export class Controls {
  /**
   * @param {Tournament} first
   * @param {{ signal: AbortSignal, go: (path: string) => void }} context
   */
  constructor(first, { signal, go }) {
    this.name = first.name;
    this.fixed = first.format === "round-robin" || first.format === "gauntlet";
    this.go = go;
    this.signal = signal;
    this.error = el("p", { class: "error", role: "alert", data: { error: "control" } });
    this.pause = button("Pause", () => void this.send("pause", {}), { class: "small", data: { action: "pause" } });
    this.resume = button("Go on", () => void this.send("resume", {}), { class: "small primary", data: { action: "resume" } });
    this.change = button("Agents and file…", () => void this.open(), { class: "small", data: { action: "change" } });
    this.remove = button("Delete…", () => void this.delete(), { class: "small", data: { action: "delete" } });
    this.buttons = el("div", { class: "row" }, this.pause, this.resume, this.change, this.remove);
    this.panel = el("div", { class: "control-panel" }, this.error);
    this.show(first);
  }

  /** @param {Tournament} tournament */
  show({ kind, state, elsewhere, has_file }) {
    const own = kind === "tournament" && !elsewhere;
    this.pause.hidden = !(own && state === "running");
    this.resume.hidden = !(own && has_file && (state === "paused" || state === "unfinished"));
    this.change.hidden = !(own && has_file);
    this.remove.hidden = !own || state === "running";
  }

  /**
   * @param {"pause" | "resume" | "file"} what
   * @param {Record<string, unknown>} body
   */
  async send(what, body) {
    this.error.textContent = "";
    try {
      await withSecret((secret) => api.changeTournament(this.name, what, body, secret));
      return true;
    } catch (error) {
      if (!api.isAbort(error)) this.error.textContent = api.messageOf(error);
      return false;
    }
  }

  async delete() {
    const sure = await ask({ title: "Delete this tournament?", text: `${this.name} and all its games will be gone for good.`, yes: "Delete" });
    if (!sure) return;
    try {
      await withSecret((secret) => api.deleteTournament(this.name, secret));
      this.go("/tournaments");
    } catch (error) {
      this.error.textContent = api.messageOf(error);
    }
  }

  /** The tournament's file, to let an agent join or to change it by hand. */
  async open() {
    this.error.textContent = "";
    try {
      this.edit(await withSecret((secret) => api.tournamentFile(this.name, secret)));
    } catch (error) {
      this.error.textContent = api.messageOf(error);
    }
  }

  /** @param {string} file */
  edit(file) {
    const area = el("textarea", { rows: 14, spellcheck: "false", id: freshId(), class: "code", data: { field: "file" } });
    area.value = file;
    const agent = el("input", { type: "text", placeholder: "engine:level=4", spellcheck: "false", autocomplete: "off", "aria-label": "Agent", data: { field: "new-agent" } });
    const name = el("input", { type: "text", placeholder: "its name (optional)", autocomplete: "off", "aria-label": "Name", data: { field: "new-name" } });
    const problem = el("p", { class: "error", role: "alert", data: { error: "file" } });
    const add = () => {
      if (agent.value.trim() === "") return void agent.focus();
      const changed = withAgent(area.value, agent.value.trim(), name.value.trim());
      if (changed === null) return fill(problem, "The list of agents was not found: add the agent to the file by hand.");
      area.value = changed;
      agent.value = name.value = "";
      problem.textContent = "";
    };
    const save = async () => {
      problem.textContent = "";
      saving.disabled = true;
      try {
        await this.submit(area.value, problem, () => dialog.close());
      } finally {
        saving.disabled = false;
      }
    };
    const saving = button("Save and go on", () => void save(), { class: "primary", data: { action: "save-file" } });
    const dialog = openDialog("Agents and file", [
      el("p", { class: "small muted" }, this.fixed ? "An agent that joins plays the games it missed; what was played stays. Only agents can be changed."
        : "An agent that joins plays from the next round on. Only agents and the number of rounds can be changed."),
      el("div", { class: "row join-row" }, agent, name, button("Let it join", add, { data: { action: "join" } })),
      el("label", { for: area.id, class: "small" }, "The tournament's file"), area, problem,
    ], [button("Cancel", () => dialog.close(), { data: { action: "cancel" } }), saving]);
    dialog.classList.add("wide");
  }

  /**
   * @param {string} file
   * @param {HTMLElement} problem
   * @param {() => void} done
   * @param {string} [changed]
   */
  async submit(file, problem, done, changed) {
    const body = changed === undefined ? { file } : { file, changed };
    try {
      await withSecret((secret) => api.changeTournament(this.name, "file", body, secret));
      done();
    } catch (error) {
      if (error instanceof api.ApiError && error.code === "changed" && changed === undefined) {
        const choice = await whatChanged(error.message, this.fixed);
        if (choice !== null) await this.submit(file, problem, done, choice);
        return;
      }
      problem.textContent = api.messageOf(error);
    }
  }
}

/**
 * Asks what to do with the games of agents that have changed.
 * @param {string} message
 * @param {boolean} fixed  whether no later game depends on results, so that games can be played again
 * @returns {Promise<string | null>}
 */
function whatChanged(message, fixed) {
  return new Promise((resolve) => {
    /** @type {string | null} */
    let answer = null;
    const choose = (/** @type {string} */ choice) => {
      answer = choice;
      dialog.close();
    };
    const choices = [["keep", "Keep its games", "They count for the new version."], ...(fixed ? [["replay", "Play them again", "Its games so far are deleted."]] : []), ["enter", "Enter it as a new agent", "The old version is retired; its games stay."]];
    const rows = choices.map(([value, label, words]) => el("div", { class: "row choice" },
      button(label, () => choose(value ?? ""), { data: { choice: value ?? "" } }), el("span", { class: "small muted" }, words)));
    const dialog = openDialog("An agent has changed", [el("p", null, message), ...rows],
      [button("Cancel", () => dialog.close(), { data: { action: "cancel" } })]);
    dialog.addEventListener("close", () => resolve(answer));
  });
}
