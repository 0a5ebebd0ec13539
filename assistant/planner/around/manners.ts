import { type Item, meaningsOf } from "../link/item.ts";
import type { Linking } from "../link/name-index.ts";
import { isCourtesy } from "./courtesies.ts";
import { narrows, understandPart } from "./narrowing.ts";
import { partsOf } from "./parts.ts";

const asking =
  /^(?:(?:(?:could|can|would) you )?pretty please |(?:please )?be (?:so (?:kind|good|nice)|a dear) (?:as to|and) |(?:could|can|would|will) you (?:please |kindly |perhaps )?(?:be so (?:kind|good|nice) (?:as to|and) |be able to )|(?:may|might|can|could) i (?:please |just )?ask(?: you)?(?: for| about)? |i(?:['’]d| would) (?:be (?:very |so |really )?(?:grateful|thankful|glad|happy) (?:for|to (?:see|know|have|get)) |love to (?:see|know|have|get) )|i(?:['’]ve| have)? (?:meant|mean),? |what (?:do|would|will|does) (?:i|we|you|one|it) (?:find|see|get|learn|look like) (?:if|when|once) (?:i|we|you|one) (?:look(?:ed)? at )?)/i;
const endings =
  /[\s,;–-]+(?:please and thank you|(?:(?:many |much )?thanks|thank you|thx|cheers|ty|tia|ta|(?:much )?appreciated|appreciate it)(?: so much| a lot| kindly| very much| in advance)?|(?:would|will) (?:do|suffice)|would be (?:really |very |so )?(?:nice|great|good|perfect|lovely|helpful|ideal|handy|appreciated)|(?:is|are|will be|would be) (?:just |also |totally |perfectly )?(?:fine|enough|plenty|ok|okay)|(?:could|can|would|will) you(?: please)?(?: help(?: me)?(?: out)?)?|actually|(?:if (?:i|you|it|that|this)(?:['’]?(?:s|re|ve|d|m))?|you(?:['’]d| would)|that(?:['’]d| would)|thanks|thank you|no (?:hurry|rush))\b[^,?;:]*)[\s.!?]*$/iu;

/** "A table is fine": that is how it is to be shown. */
const wishedChart =
  /[,.;]\s+(a (?:table|pie|donut|heat ?map|(?:bar|line|area|pie|column) (?:chart|graph))) (?:is|will be|would be) (?:just |also )?(?:fine|enough|plenty|ok|okay|great|perfect|nice|lovely)(?=[\s.!?]*$)/iu;
/** "If you don't mind", "that would be a great help": whatever the words, it is a courtesy. */
const conditional = /^[\s,;–-]*(?:if|you|that|would)\b/i;
const isUnknown = ({ kind }: Item): boolean => kind === "unknown";

/** The question without greetings before it and courtesies around it. "Morning! How many calls …": that is no part of a day. */
export function withoutManners(text: string, linking: Linking): string {
  const bare = withoutCourtesies(text)
    .replace(asking, "")
    .replace(wishedChart, " as $1")
    .replace(/^(?:would|do) you mind (show|tell|giv)ing /i, (_, verb: string) => (/^tell/i.test(verb) ? "" : "show "));
  const end = endings.exec(bare);
  const isIdle =
    end !== null &&
    understandPart(end[0], linking).items.every((item) => !narrows(item) && !tells(item)) &&
    (conditional.test(end[0]) || isCourtesy(end[0]) || !understandPart(end[0], linking).items.some(isUnknown));
  const left = isIdle && end !== null ? bare.slice(0, end.index) : bare;
  return left === text || left.trim() === "" ? text : withoutManners(left, linking);
}

function withoutCourtesies(text: string): string {
  const parts = partsOf(text);
  const from = parts.findIndex((part) => !isCourtesy(text.slice(part.from, part.to)));
  const to = parts.findLastIndex((part) => !isCourtesy(text.slice(part.from, part.to)));
  if (from < 0) return text;
  const last =
    to === parts.length - 1 || /^(?:good )?(?:morning|afternoon|evening)$/i.test(text.slice(parts[to + 1]?.from))
      ? text.length
      : (parts[to]?.to ?? text.length);
  return text.slice(parts[from]?.from ?? 0, last);
}

/** Records, a figure, a group or a fact. */
const tells = (item: Item): boolean => meaningsOf(item).some(({ kind }) => kind !== "role");

/** Tells if a text thanks and asks for nothing. */
export const isThanks = (text: string): boolean => isCourtesy(text) && /\b(?:thank|thx|cheers|ty\b)/i.test(text);
