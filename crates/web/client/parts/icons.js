// Icons for buttons; their labels are in the aria-label.

const NS = "http://www.w3.org/2000/svg";

/** In a view box of 24 by 24. */
const PATHS = {
  first: "M6 5h2.5v14H6zM19 5v14l-9.5-7z",
  back: "M16.5 5v14L7 12z",
  play: "M7.5 5v14L18 12z",
  pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
  forward: "M7.5 5v14L17 12z",
  last: "M15.5 5H18v14h-2.5zM5 5v14l9.5-7z",
  close: "m6.4 5 5.6 5.6L17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6l5.6-5.6L5 6.4z",
  dice: "M6 4h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zm0 2v12h12V6zm1.5 1.5h3v3h-3zm6 6h3v3h-3z",
};

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  const picture = document.createElementNS(NS, "svg");
  picture.setAttribute("class", "icon");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(NS, "path");
  path.setAttribute("d", PATHS[name]);
  path.setAttribute("fill", "currentColor");
  path.setAttribute("fill-rule", "evenodd");
  picture.append(path);
  return picture;
}
