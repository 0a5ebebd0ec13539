import { subjectOf } from "../../catalog/catalog.ts";
import type { Plan } from "../../plan.ts";
import { faultOf } from "../../plan-faults.ts";
import { competitors } from "../competitors.ts";
import { type Understood, understand } from "../correct-typos.ts";
import { towards } from "../direction.ts";
import { pointsBack, pointsWithin } from "../leans.ts";
import type { Item } from "../link/item.ts";
import type { Linking } from "../link/linking.ts";
import { fittingSubjects, reworked } from "../rules/apply-rules.ts";
import { toWords } from "../words/tokenize.ts";
import { parse } from "./sentence.ts";
import { terminalsOf } from "./terminals.ts";

const whys = /^(why|because)$/i;
const asksWhy = ({ said }: Item): boolean => whys.test(said);

const endOfSentence = /[?!]\s+(?=\S)/g;

/** The plan of a question every word of which the grammar explains, in one way; undefined for any other question. */
export function planByGrammar(text: string, linking: Linking, understood?: Understood) {
  const whole = text.replace(endOfSentence, ", ");
  const { items, corrections } =
    whole === text && understood !== undefined ? understood : understand(toWords(whole), linking);
  if (items.some((item) => item.kind === "unknown" && !asksWhy(item))) return undefined;
  const [subject, ...rivals] = towards(text, fittingSubjects(items, undefined));
  if (subject === undefined || competitors([subject, ...rivals], items) !== undefined) return undefined;
  if (pointsBack(items) && !pointsWithin({ items, subject })) return undefined;
  const places = terminalsOf(reworked(items, subject), subject);
  if (places.length < 2) return undefined;
  const [found, other] = parse(places, { subject, now: linking.now, zone: linking.zone });
  if (found === undefined || other !== undefined) return undefined;
  return { plan: found.plan, notes: [...corrections, ...found.notes] };
}

/** "Which hook", behind figures of deliveries: the same figures by what is asked for, where its noun is the records', too. */
export function regroupedByGrammar(text: string, previous: Plan, linking: Linking): Plan | undefined {
  const { items } = understand(toWords(text), linking);
  const subject = subjectOf(previous.subject);
  if (previous.columns.length > 0) return undefined;
  const places = terminalsOf(items, subject);
  const [first, second, more] = places[0]?.has("AND") ? places.slice(1) : places;
  const [kind] = second?.get("KIND") ?? [];
  if (more !== undefined || !first?.has("WHICH") || kind?.groups === undefined || !second?.has("NOUN"))
    return undefined;
  const plan = {
    ...previous,
    dimensions: [...kind.groups],
    grain: null,
    order: null,
    limit: null,
    limit_per: null,
    chart: null,
  };
  return faultOf(plan) === undefined ? plan : undefined;
}
