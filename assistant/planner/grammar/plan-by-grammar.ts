import { subjectOf } from "../../catalog/catalog.ts";
import type { Plan } from "../../plan.ts";
import { competitors } from "../competitors.ts";
import { understand } from "../correct-typos.ts";
import { towards } from "../direction.ts";
import { doubtAbout } from "../doubts.ts";
import { pointsBack } from "../leans.ts";
import type { Linking } from "../link/linking.ts";
import { notWhy } from "../refuse.ts";
import { fittingSubjects, reworked } from "../rules/apply-rules.ts";
import { joinRatios } from "../rules/ratios.ts";
import { toWords } from "../words/tokenize.ts";
import { applyEdit } from "./apply-edit.ts";
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

/** The plan that a follow-up makes of the one before; undefined where the grammar cannot explain every word in one way. */
export function editByGrammar(text: string, previous: Plan, linking: Linking) {
  const { items, corrections, refusal } = understand(toWords(text), linking, true);
  if (refusal !== undefined && refusal !== notWhy) return undefined;
  const subject = subjectOf(previous.subject);
  const { items: joined, missing } = joinRatios({ items: reworked(items, subject), subject });
  if (missing !== undefined) return undefined;
  const places = terminalsOf(joined, subject, previous);
  const [found, other] = parse(
    places,
    { subject, now: linking.now, zone: linking.zone, previous },
    { symbol: "edit", complete: applyEdit },
  );
  if (found === undefined || other !== undefined) return undefined;
  return { plan: found.plan, notes: [...corrections, ...found.notes], leans: found.leans === true };
}
