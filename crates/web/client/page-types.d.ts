/* What the router and the pages agree on. */

/** What a page is given when it is opened. */
export interface PageContext {
  /** The varying parts of the path, decoded. */
  params: string[];
  query: URLSearchParams;
  /** Ends when the page is left: requests, timers and listeners go with it. */
  signal: AbortSignal;
  go(path: string): void;
  /** Opens this page anew: it is about something else now. */
  again(): void;
}

/** A key that does something on a page, as the help lists it. */
export interface Key {
  /** `event.key`; a single letter in lower case. */
  key: string;
  label: string;
  run(): void;
}

/** What a page hands back. */
export interface Page {
  name: string;
  title: string;
  body: Node[];
  keys?: Key[];
  /** The page of the navigation that this one belongs to, if it is none itself. */
  under?: string;
}
