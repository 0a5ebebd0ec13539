const units = "seconds?|secs?|minutes?|mins?|hours?|hrs?|ms|milliseconds?|dollars?|bucks|usd|percent|%";

/** Signs and turns of phrase, and the words that say the same; in this order. */
const plain: readonly (readonly [RegExp, string])[] = [
  // "5+ minutes", "20+ calls", "$50+ in revenue", "attempt 4+"
  [new RegExp(`(\\d)\\+\\s*(${units})(?![\\p{L}\\d])`, "giu"), "$1 $2 or more"],
  [/(\d)\+(?!\s?[\d(])/gu, "$1 or more "],
  // "facebook + instagram", "day of week x hour of day"
  [/(\p{L})\s?\+\s?(?=\p{L})/gu, "$1 and "],
  [/(\p{L})\s[x×]\s(?=\p{L})/giu, "$1 and "],
  // "no-route calls", "single-call payout"
  [/\b(no|non|not|single)-(?=\p{L})/giu, "$1 "],
  // "neither from Acme nor from Best": of a negated list every name is meant.
  [/\bneither\b/giu, "not"],
  [/\bnor\b/giu, "or"],
  // "over 15 minutes long"
  [new RegExp(`(\\d|\\b(?:an?|one|two|three|four|five|ten))\\s?(${units}) long\\b`, "giu"), "$1 $2"],
  [/\(in (\p{L}+)\)/giu, ", in $1"],
  // "failed calls, all of them, by reason": said of what the question has named.
  [/,\s*(?:all|every one) of (?:them|those|it|these)(?=\s*(?:[,?.]|$))/giu, ","],
];

/** What `toWords` would drop ("+", brackets) or not know ("nor"), in plain words. */
export const withPlainSigns = (question: string): string =>
  plain.reduce((text, [said, meant]) => text.replace(said, meant), question);
