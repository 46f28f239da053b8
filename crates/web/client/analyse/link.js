// Links that carry a whole analysis: the part of the address after the hash, which is sent to no server.

/** @import { Analysis } from "../api-types" */

/** The largest analysis that is unpacked from a link, in bytes: a short link can hold gigabytes. */
const LARGEST = 1 << 20;

/**
 * The part of the address that carries an analysis.
 * @param {Analysis} document
 * @returns {Promise<string>}
 */
export async function pack(document) {
  const text = new TextEncoder().encode(JSON.stringify(document));
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  return `#tree=${toBase64(bytes)}`;
}

/**
 * The text of the analysis that an address carries; null if it carries none.
 * @param {string} hash
 * @returns {Promise<string | null>}
 */
export async function unpack(hash) {
  const packed = /^#tree=([A-Za-z0-9_-]+)$/.exec(hash)?.[1];
  if (packed === undefined) {
    if (hash.startsWith("#tree=")) throw new Error(BROKEN);
    return null;
  }
  try {
    return await inflate(fromBase64(packed));
  } catch (error) {
    throw error instanceof RangeError ? error : new Error(BROKEN);
  }
}

const BROKEN = "This link is damaged: a part of it may be missing. Ask for it again, or for the game as text.";

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<string>}
 */
async function inflate(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  /** @type {BlobPart[]} */
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > LARGEST) {
      void reader.cancel();
      throw new RangeError("The analysis in this link is larger than 1 MiB.");
    }
    parts.push(value);
  }
  return new Blob(parts).text();
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
function fromBase64(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}
