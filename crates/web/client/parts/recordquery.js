// Which records are wanted: in the address of the page, and in requests.

/**
 * The filters. Dates are days of the user's own calendar, such as 2026-01-31.
 * @typedef {{ variant: string, agent: string, series: string, tournament: string, result: string, fault: string,
 *   since: string, until: string }} RecordQuery
 */

/** @type {(keyof RecordQuery)[]} */
const FIELDS = ["variant", "agent", "series", "tournament", "result", "fault", "since", "until"];

/**
 * @param {URLSearchParams} query
 * @returns {RecordQuery}
 */
export function readQuery(query) {
  const read = Object.fromEntries(FIELDS.map((field) => [field, query.get(field) ?? ""]));
  return /** @type {RecordQuery} */ (read);
}

/** @param {RecordQuery} query */
export const isFiltered = (query) => FIELDS.some((field) => query[field] !== "");

/**
 * The address of a page of records.
 * @param {RecordQuery} query
 * @param {number} [page]
 */
export function recordsAddress(query, page = 1) {
  const parameters = filled(query);
  if (page > 1) parameters.set("page", String(page));
  const text = parameters.toString();
  return text ? `/records?${text}` : "/records";
}

/**
 * The filters for the server, which knows moments but not the user's days.
 * @param {RecordQuery} query
 */
export function requestQuery({ since, until, ...rest }) {
  return filled({ ...rest, since: midnight(since, 0), until: midnight(until, 1) });
}

/** @param {RecordQuery} query */
function filled(query) {
  const parameters = new URLSearchParams();
  for (const field of FIELDS) if (query[field]) parameters.set(field, query[field]);
  return parameters;
}

/**
 * The start of a day, or of one some days later. What is not a day stays as it is: the server explains.
 * @param {string} day
 * @param {number} later
 */
function midnight(day, later) {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day);
  if (!match) return day;
  const [year, month, date] = match.slice(1).map(Number);
  const moment = new Date(year ?? 0, (month ?? 1) - 1, (date ?? 1) + later);
  return moment.toISOString();
}
