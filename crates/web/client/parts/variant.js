// The fields that choose a variant, built from the game's catalog entry.

/** @import { CatalogGame, Field } from "../api-types" */

import { button, el, freshId } from "../dom.js";
import { icon } from "./icons.js";

/**
 * A variant's text: the game's name and its template, filled in.
 * @param {CatalogGame} game
 * @param {Record<string, string>} [values]  missing ones keep their default
 */
export function variantText(game, values = {}) {
  const { template, fields } = game.form;
  if (template === "") return game.name;
  const setup = fields.reduce(
    (text, field) => text.replaceAll(`{${field.name}}`, values[field.name] ?? field.default), template);
  return `${game.name}:${setup}`;
}

/**
 * The fields of a game's form. `text` gives the variant as filled in; `onChange` is called on every change.
 * @param {CatalogGame} game
 * @param {() => void} onChange
 */
export function variantFields(game, onChange) {
  /** @type {Record<string, string>} */
  const values = {};
  const nodes = game.form.fields.map((field) => {
    values[field.name] = field.default;
    return fieldOf(field, (value) => {
      values[field.name] = value;
      onChange();
    });
  });
  return { nodes, text: () => variantText(game, values) };
}

/**
 * @param {Field} field
 * @param {(value: string) => void} set
 */
function fieldOf(field, set) {
  const id = freshId();
  const label = el("label", { for: id }, field.label);
  if (field.kind === "choice") {
    const options = field.choices.map((choice) =>
      el("option", { value: choice.value, selected: choice.value === field.default }, choice.label));
    const select = el("select", { id, data: { field: field.name }, on: { change: () => set(select.value) } }, ...options);
    return el("div", { class: "field" }, label, select);
  }
  const input = el("input", {
    id, type: "number", min: field.min, max: field.max, step: 1, value: field.default, required: true,
    data: { field: field.name }, on: { input: () => input.checkValidity() && set(input.value) },
  });
  const dice = field.kind === "seed" && button(icon("dice"), () => {
    input.value = String(randomSeed(field.min, field.max));
    set(input.value);
  }, { data: { action: "dice" } });
  if (dice) dice.append("Another board");
  return el("div", { class: "field" }, label, el("div", { class: "row" }, input, dice));
}

/**
 * A random seed; small numbers are easier to pass on.
 * @param {number} min
 * @param {number} max
 */
function randomSeed(min, max) {
  const top = Math.min(max ?? 9999, 9999);
  return min + Math.floor(Math.random() * (top - min + 1));
}
