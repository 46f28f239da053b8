// The filters of the records: they offer what is stored, with the number of games.

/** @import { Choice, RecordChoices, SeriesChoice } from "../api-types" */
/** @import { RecordQuery } from "./recordquery.js" */

import { button, capital, el, freshId } from "../dom.js";
import { numberText } from "./contest.js";

/** @type {Record<string, string>} */
const RESULTS = { first: "First seat wins", second: "Second seat wins", third: "Third seat wins", fourth: "Fourth seat wins", draw: "Draw" };
/** @type {Record<string, string>} */
const KINDS = { tournament: "Tournaments", match: "Matches", experiment: "Experiments" };

/**
 * @param {RecordChoices} choices
 * @param {RecordQuery} query
 * @param {(query: RecordQuery) => void} onChange
 */
export function filters(choices, query, onChange) {
  /** @param {Partial<RecordQuery>} change */
  const change = (change) => onChange({ ...query, ...change });
  const faults = choices.faults.reduce((sum, { games }) => sum + games, 0);
  const anyFault = faults > 0 ? [{ value: "any", games: faults }] : [];
  return el("form", { class: "card filters", "aria-label": "Filters", on: { submit: (/** @type {Event} */ event) => event.preventDefault() } },
    select("variant", "Game", "All games", withChosen(choices.variants, query.variant), query.variant, (variant) => change({ variant }), (value) => value),
    whereSelect(choices.series, query, change),
    agentField(choices.agents, query.agent, (agent) => change({ agent })),
    select("result", "Result", "All results", withChosen(choices.results, query.result), query.result, (result) => change({ result }), (value) => RESULTS[value] ?? value),
    select("fault", "Faults", "With and without", withChosen([...anyFault, ...choices.faults], query.fault), query.fault,
      (fault) => change({ fault }), (value) => (value === "any" ? "Any fault" : capital(value.replaceAll("-", " ")))),
    day("since", "From", query.since, (since) => change({ since })),
    day("until", "To", query.until, (until) => change({ until })));
}

/**
 * A filter from an address stays in the list even if nothing matches it any more.
 * @param {Choice[]} choices
 * @param {string} chosen
 */
function withChosen(choices, chosen) {
  const known = chosen === "" || choices.some(({ value }) => value === chosen);
  return known ? choices : [{ value: chosen, games: 0 }, ...choices];
}

/**
 * @param {string} label
 * @param {HTMLElement} control
 * @param {...Node} more
 */
function field(label, control, ...more) {
  control.id = freshId();
  return el("div", { class: "field" }, el("label", { for: control.id }, label), control, ...more);
}

/**
 * @param {string} name
 * @param {string} label
 * @param {string} all
 * @param {Choice[]} choices
 * @param {string} chosen
 * @param {(value: string) => void} onChoose
 * @param {(value: string) => string} words
 */
function select(name, label, all, choices, chosen, onChoose, words) {
  const control = el("select", { data: { field: name }, on: { change: () => onChoose(control.value) } },
    el("option", { value: "" }, all),
    ...choices.map(({ value, games }) => el("option", { value, selected: value === chosen }, `${words(value)} (${numberText(games)})`)));
  return field(label, control);
}

/**
 * Tournaments by name, other series by number.
 * @param {SeriesChoice[]} series
 * @param {RecordQuery} query
 * @param {(change: Partial<RecordQuery>) => void} change
 */
function whereSelect(series, query, change) {
  const chosen = query.tournament ? `tournament:${query.tournament}` : query.series ? `series:${query.series}` : "";
  /** @param {SeriesChoice} it */
  const valueOf = (it) => (it.kind === "tournament" ? `tournament:${it.name}` : `series:${it.kind === "pages" ? "pages" : it.id}`);
  /** @param {SeriesChoice} it */
  const option = (it) => el("option", { value: valueOf(it), selected: valueOf(it) === chosen },
    `${it.kind === "pages" ? "Played here" : it.name} (${numberText(it.games)})`);
  const known = chosen === "" || series.some((it) => valueOf(it) === chosen);
  const groups = Object.entries(KINDS).map(([kind, label]) => ({ label, all: series.filter((it) => it.kind === kind) }));
  const control = el("select", { data: { field: "series" }, on: { change: () => choose(control.value) } },
    el("option", { value: "" }, "Everywhere"),
    !known && el("option", { value: chosen, selected: true }, query.tournament || `Series ${query.series}`),
    ...series.filter((it) => it.kind === "pages").map(option),
    ...groups.filter(({ all }) => all.length > 0).map(({ label, all }) => el("optgroup", { label }, ...all.map(option))));
  /** @param {string} value */
  const choose = (value) => {
    const [kind, ...name] = value.split(":");
    change({ tournament: kind === "tournament" ? name.join(":") : "", series: kind === "series" ? name.join(":") : "" });
  };
  return field("Where", control);
}

/**
 * @param {Choice[]} agents
 * @param {string} chosen
 * @param {(agent: string) => void} onChoose
 */
function agentField(agents, chosen, onChoose) {
  const list = el("datalist", { id: freshId() },
    ...agents.map(({ value, games }) => el("option", { value, label: `${value} (${numberText(games)})` })));
  const control = el("input", {
    type: "text", value: chosen, list: list.id, placeholder: "Anybody", autocomplete: "off", spellcheck: "false", maxlength: 300,
    data: { field: "agent" }, on: { change: () => onChoose(control.value.trim()) },
  });
  return field("Agent", control, list);
}

/**
 * @param {string} name
 * @param {string} label
 * @param {string} chosen
 * @param {(day: string) => void} onChoose
 */
function day(name, label, chosen, onChoose) {
  const control = el("input", { type: "date", value: chosen, min: "1970-01-01", max: "9999-12-31", data: { field: name }, on: { change: () => onChoose(control.value) } });
  return field(label, control);
}

/**
 * A button that removes all filters.
 * @param {() => void} run
 */
export const clearButton = (run) => button("Clear filters", run, { class: "small", data: { action: "clear" } });
