import { subjectOf } from "../../catalog/catalog.ts";
import type { Plan } from "../../plan.ts";
import { faultOf } from "../../plan-faults.ts";
import { competitors } from "../competitors.ts";
import { understand } from "../correct-typos.ts";
import { towards } from "../direction.ts";
import { doubtAbout } from "../doubts.ts";
import { pointsBack } from "../leans.ts";
import type { Linking } from "../link/linking.ts";
import { fittingSubjects, reworked } from "../rules/apply-rules.ts";
import { joinRatios } from "../rules/ratios.ts";
import { toWords } from "../words/tokenize.ts";
import { parse } from "./sentence.ts";
import { terminalsOf } from "./terminals.ts";

const severalSentences = /[?!]\s+\S/;

/** The plan of a question every word of which the grammar explains, in one way; undefined for any other question. */
export function planByGrammar(text: string, linking: Linking) {
  if (severalSentences.test(text)) return undefined;
  const { items, corrections, refusal } = understand(toWords(text), linking);
  if (refusal !== undefined || items.some(({ kind }) => kind === "unknown") || pointsBack(items)) return undefined;
  if (doubtAbout(text, items) !== undefined) return undefined;
  const [subject, ...others] = towards(text, fittingSubjects(items, undefined));
  if (subject === undefined || competitors([subject, ...others], items) !== undefined) return undefined;
  const { items: joined, missing } = joinRatios({ items: reworked(items, subject), subject });
  if (missing !== undefined) return undefined;
  const places = terminalsOf(joined, subject);
  if (places.length < 2) return undefined;
  const [found, other] = parse(places, { subject, now: linking.now, zone: linking.zone });
  if (found === undefined || other !== undefined) return undefined;
  return { plan: found.plan, notes: [...corrections, ...found.notes] };
}

/** "Which hook", behind figures of deliveries: the same figures by what is asked for, where its noun is the records', too. */
export function regroupedByGrammar(text: string, previous: Plan, linking: Linking): Plan | undefined {
  const { items, refusal } = understand(toWords(text), linking, true);
  const subject = subjectOf(previous.subject);
  if (refusal !== undefined || previous.columns.length > 0) return undefined;
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
