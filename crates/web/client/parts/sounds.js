// Sounds, made of a few tones. They are off unless switched on.

import { sounds } from "./settings.js";

/** A tone: its pitch in hertz, when it begins and how long it lasts, in seconds. @typedef {[number, number, number]} Tone */

/** @type {Record<"move" | "capture" | "turn" | "end", Tone[]>} */
const TONES = {
  move: [[392, 0, 0.09]],
  capture: [[294, 0, 0.08], [196, 0.07, 0.14]],
  turn: [[587, 0, 0.08], [784, 0.09, 0.14]],
  end: [[523, 0, 0.16], [659, 0.15, 0.16], [784, 0.3, 0.4]],
};
const LOUDNESS = 0.16;
/** Tones swell and fade, so that they do not click. */
const SWELL = 0.008;

/** @type {AudioContext | null} */
let context = null;

/**
 * Plays some sounds one after the other, if they are switched on. Browsers allow it only after a click or
 * a key, and complain before that.
 * @param {...keyof typeof TONES} names
 */
export function sound(...names) {
  if (!sounds() || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  let begin = context.currentTime + SWELL;
  for (const name of names) {
    const tones = TONES[name];
    for (const tone of tones) ring(context, begin, tone);
    begin += Math.max(...tones.map(([, at, length]) => at + length));
  }
}

/**
 * @param {AudioContext} audio
 * @param {number} begin
 * @param {Tone} tone
 */
function ring(audio, begin, [pitch, at, length]) {
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  const [from, to] = [begin + at, begin + at + length];
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0, from);
  volume.gain.linearRampToValueAtTime(LOUDNESS, from + SWELL);
  volume.gain.exponentialRampToValueAtTime(0.001, to);
  tone.connect(volume).connect(audio.destination);
  tone.start(from);
  tone.stop(to);
}
