/** The groups of operations in the order in which somebody new needs them, with what is in each. */
export const tags = {
  Campaigns:
    "Join publishers' numbers to a routing plan, with the money, recording and duplicate rules of their calls.",
  Targets: "Buyers' destinations: phone numbers and SIP endpoints.",
  Numbers: "Tracking numbers that callers dial.",
  Buyers: "Who takes calls and pays for them.",
  Publishers: "Who sends calls and is paid for them.",
  "Routing plans": "Ordered routes of a campaign's calls.",
  Reports: "The call log, summaries, single calls and corrections of what they are worth.",
  "Outgoing webhooks": "Requests to your systems at events of calls.",
  "Incoming webhooks": "Configuration of what your systems send about calls.",
  "Inbound webhooks": "What your systems call, with an incoming webhook's key.",
  "Webhook history": "Every request in both directions, and deliveries made once more.",
  "Reporting assistant": "Questions in plain words about calls, webhooks and RTB requests.",
  "RTB formulas": "How buyers are asked for bids, and what is read out of their answers.",
  "RTB groups": "Formulas that bid against each other for a call.",
  "RTB pings": "What publishers call for each lead.",
  "Inbound RTBs": "Endpoints where publishers ask which routes are open.",
  "Number pools": "Numbers that are handed out one by one, to pings or to visitors.",
  Routing: "Who would take a call now, and why others would not.",
  "Predictive routing plans": "Rules that judge destinations by what earlier calls to them brought.",
  IVRs: "Voice menus.",
  "Call flows": "Steps that a campaign's calls go through.",
  "Custom tags": "An organization's own tags of calls, and their placeholders.",
  "Blocked callers": "Callers whose calls are not taken.",
  Bulk: "Pause and resume many at once.",
  "Inbound RTB reports": "What publishers asked, and what came of it.",
  "Outbound RTB reports": "What buyers were asked, and what they bid.",
  "API keys": "Keys of the external API.",
  "Audit log": "Who changed what in the configuration, and when.",
  Telephony: "What carriers and switches call, and a simulator of them.",
} as const;
export type OperationTag = keyof typeof tags;

/** The tag of a resource, by its display name: "RTB formulas". */
export const toTag = (many: string): OperationTag => (many.charAt(0).toUpperCase() + many.slice(1)) as OperationTag;

/** `RtbFormula` of "RTB formula". */
export const pascalCase = (words: string): string =>
  words
    .split(/[\s_-]+/)
    .map((word) => (/^[A-Z]+s?$/.test(word) ? word.toLowerCase() : word))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** "an RTB formula", "a campaign". */
export const withArticle = (one: string): string => `${/^([aeio]|RTB|IVR)/.test(one) ? "an" : "a"} ${one}`;

/** The first clause of a summary that is too long for a list. */
export const shortSummary = (summary: string): string =>
  summary.length <= 90 ? summary : (summary.split(/; |: |\. | \(/, 1)[0] ?? summary);
