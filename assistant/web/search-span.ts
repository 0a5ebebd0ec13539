/** The choice of a span whose ends are given, beside those by a name or by hours back from now. */
export const between = "between";

/** Minutes of UTC, as `2026-11-21T19:30`; an empty end is open. */
export type SpanEnds = { readonly from: string; readonly to: string };

const minute = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;
export const isMinute = (text: string): boolean => minute.test(text) && !Number.isNaN(Date.parse(`${text}Z`));

export const minuteAt = (ms: number): string => new Date(ms).toISOString().slice(0, "2026-11-21T19:30".length);

/** The ends as instants, of two the earlier one first; an open one stays empty. */
export const instantsOf = ({ from, to }: SpanEnds): { readonly start: string; readonly end: string } => {
  const [start = "", end = ""] = from !== "" && to !== "" ? [from, to].sort() : [from, to];
  return { start: start && `${start}:00Z`, end: end && `${end}:00Z` };
};
