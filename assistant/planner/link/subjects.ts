import { catalog } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import type { SubjectName } from "../../plan.ts";
import { functionWords } from "../words/function-words.ts";
import type { Item } from "./item.ts";
import { senses } from "./senses.ts";

/** The subjects in which every item means something, the ones that the question names by their noun first. */
export function fittingSubjects(items: readonly Item[], previous: SubjectName | undefined): readonly Subject[] {
  const fits = catalog.filter((subject) =>
    items.every(
      (item, index) =>
        item.kind !== "meanings" ||
        senses({ items, subject }, index).length > 0 ||
        functionWords.has(item.said.toLowerCase()),
    ),
  );
  const named = fits.filter((subject) =>
    items.some((_, index) => senses({ items, subject }, index).some(({ kind }) => kind === "subject")),
  );
  if (named.length > 0) return named;
  const same = previous === undefined ? [] : fits.filter(({ name }) => name === previous);
  return same.length > 0 ? same : fits;
}

/** Requests that come in, and those of the same kind that go out. */
const inward: readonly SubjectName[] = ["inbound_rtb_requests", "incoming_webhook_requests"];
const outward: readonly SubjectName[] = ["outbound_rtb_requests", "outgoing_webhook_requests"];

const comes =
  /\b(?:(?:we|i|us) (?:get|got|getting|receive|received|are getting|are receiving)|(?:did|do|have|are) we (?:get|got|getting|receive|received|receiving)|receiv(?:ed|ing)|(?:came|come|comes|coming) in|sent (?:to )?us|send(?:s|ing)? us|hit us|incoming|inbound)\b/i;
const goes =
  /\b(?:(?:did|do|have|are) we (?:send|sent|sending|fire|fired|make|made)|we (?:send|sent|fire|fired|make|made)|(?:sent|send|sending|went|go|going) out|(?:sent|send|sending) to (?!us\b)|(?:who|(?:which |our )?(?:bidders?|buyers?)) (?:rejects?|refuses?|declines?|rejected|refused|declined)|outgoing|outbound)\b/i;

/** Who rejects us is asked for bids. */
const rejects =
  /\b(?:who|(?:which |our )?(?:bidders?|buyers?)) (?:rejects?|refuses?|declines?|rejected|refused|declined) (?:us|our|the|to bid)\b/i;

/** "How many pings did we get": what one gets comes in, what one sends goes out. */
export function towards(text: string, fitting: readonly Subject[]): readonly Subject[] {
  const bids = fitting.find(({ name }) => name === "outbound_rtb_requests");
  if (bids !== undefined && rejects.test(text)) return [bids];
  const [isIn, isOut] = [comes.test(text), goes.test(text)];
  if (isIn === isOut) return fitting;
  const told = fitting.filter(({ name }) => (isIn ? inward : outward).includes(name));
  const isOfTwo = fitting.every(({ name }) => inward.includes(name) || outward.includes(name));
  return isOfTwo && told.length > 0 ? told : fitting;
}
