/* The interface between the router and the pages. */

/** What a page is given when it is opened. */
export interface PageContext {
  /** The varying parts of the path, decoded. */
  params: string[];
  query: URLSearchParams;
  /** Aborts when the user leaves the page: requests, timers and listeners end with it. */
  signal: AbortSignal;
  go(path: string): void;
  /** Reopens this page, because it now shows something else. */
  again(): void;
}

/** A keyboard shortcut of a page, as the help lists it. */
export interface Key {
  /** `event.key`; a single letter in lower case. */
  key: string;
  label: string;
  run(): void;
}

/** What a page returns when it is opened. */
export interface Page {
  name: string;
  title: string;
  body: Node[];
  keys?: Key[];
  /** The navigation entry this page belongs to, if it has none of its own. */
  under?: string;
}
