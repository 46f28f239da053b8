// Updates elements in place and leaves alone what has not changed: nothing flickers, and the scroll
// position and the focus stay.

/**
 * Makes the children of an element equal to these. Those with a `data-key` are matched by it, wherever
 * they are. Where an old element stays, the listeners of its fresh counterpart are lost: use this only
 * for links and texts.
 * @param {Element} element
 * @param {...(Node | null | false)} fresh
 */
export function morph(element, ...fresh) {
  const focused = document.activeElement;
  morphChildren(element, fresh.filter((node) => node instanceof Node));
  // An element that is moved loses the focus.
  if (focused instanceof HTMLElement && focused !== document.activeElement && element.contains(focused)) {
    focused.focus({ preventScroll: true });
  }
}

/**
 * @param {Element} element
 * @param {Node[]} fresh
 */
function morphChildren(element, fresh) {
  const old = [...element.childNodes];
  const keyed = new Map(old.flatMap((node) => (keyOf(node) === undefined ? [] : [[keyOf(node), node]])));
  const plain = old.filter((node) => keyOf(node) === undefined);
  const wanted = fresh.map((node) => {
    const key = keyOf(node);
    const known = key === undefined ? plain.shift() : keyed.get(key);
    return known && isAlike(known, node) ? become(known, node) : node;
  });
  const staying = new Set(wanted);
  for (const node of old) if (!staying.has(node)) element.removeChild(node);
  wanted.forEach((node, at) => {
    const there = element.childNodes[at] ?? null;
    if (there !== node) element.insertBefore(node, there);
  });
}

/** @param {Node} node */
function keyOf(node) {
  return node instanceof HTMLElement || node instanceof SVGElement ? node.dataset.key : undefined;
}

/**
 * @param {Node} one
 * @param {Node} other
 */
function isAlike(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName;
}

/**
 * @param {Node} old
 * @param {Node} fresh
 */
function become(old, fresh) {
  if (old instanceof Element && fresh instanceof Element) {
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of [...fresh.attributes]) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    morphChildren(old, [...fresh.childNodes]);
  } else if (old.nodeValue !== fresh.nodeValue) {
    old.nodeValue = fresh.nodeValue;
  }
  return old;
}
