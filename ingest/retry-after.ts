/** Milliseconds from a `Retry-After` in seconds or as a date, at most `mostMs`; null when it is neither. */
export function retryAfterMs(header: string | null, now: number, mostMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), mostMs);
}
