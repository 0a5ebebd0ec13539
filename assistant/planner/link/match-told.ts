import type { Word } from "../words/tokenize.ts";
import { asMeanings, type Match } from "./item.ts";

/** What is said before the webhooks, how they are named, and what is said behind them. */
const ways: readonly (readonly [before: string, webhooks: string, behind: string])[] = [
  // "calls did our webhooks tell anyone about"
  [
    "(?:(?:did|do|have|that|which) )?",
    "(?:[^ ,]+ ){0,4}?(?:(?:web)?hooks?|postbacks?)",
    " (?:tell|told|notify|notified|reported?)(?: (?:anyone|anybody|people|others|someone|them|us|me|you))?(?: (?:about|of|on))?",
  ],
  // "calls that were notified by our webhooks"
  [
    "(?:(?:that )?(?:were|was|got) )?notified by ",
    "(?:(?:an?|any|our|the) )?(?:outgoing |outbound )?(?:(?:web)?hooks?|postbacks?)",
    "",
  ],
  // "calls we sent a webhook for"
  ["(?:(?:that|which) )?we (?:sent|fired|posted) ", "(?:an?|any|the|our) (?:[^ ,]+ )?webhooks?", " (?:for|about|of)"],
];
const counted = "(?:(?:how many|number of|count of) )?(?:(?:distinct|different|unique) )?calls ";
const patterns = ways.map(
  ([before, webhooks, behind]) =>
    new RegExp(`^(?<before>${counted}${before})(?<webhooks>${webhooks})(?<behind>${behind})(?= |$)`),
);
const mostWords = 14;

/** "How many calls did our webhooks tell anyone about": the calls that webhooks told of; the webhooks are left to be read. */
export function matchTold(words: readonly Word[], at: number): Match | undefined {
  for (let from = Math.max(0, at - mostWords); from <= at; from++) {
    const told = toldAt(words, from);
    if (told === undefined) continue;
    if (from === at)
      return asMeanings(
        [{ kind: "measure", subject: "outgoing_webhook_requests", name: "notified_calls" }],
        told.before,
      );
    if (from + told.before + told.webhooks === at && told.behind > 0)
      return { length: told.behind, content: { kind: "stop" } };
  }
  return undefined;
}

/** How many words each part has; undefined where no such turn of phrase begins. */
function toldAt(words: readonly Word[], from: number) {
  if (!/^(how|number|count|distinct|different|unique|calls)$/.test(words[from]?.text ?? "")) return undefined;
  const said = words.slice(from, from + mostWords).map(({ text, quoted }) => (quoted ? '"' : text));
  for (const pattern of patterns) {
    const { before = "", webhooks = "", behind = "" } = pattern.exec(said.join(" "))?.groups ?? {};
    if (before === "") continue;
    // "Notified by webhooks": the bare noun is no second figure.
    const bare = /^(?:(?:our|the|any|an?|outgoing|outbound) )*(?:(?:web)?hooks?|postbacks?)$/.test(webhooks)
      ? count(webhooks)
      : 0;
    return { before: count(before) + bare, webhooks: count(webhooks) - bare, behind: count(behind) };
  }
  return undefined;
}

const count = (said: string): number => said.split(" ").filter((word) => word !== "").length;
