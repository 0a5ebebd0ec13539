import { subjectOf } from "../catalog/catalog.ts";
import type { Plan } from "../plan.ts";

/** A question that asks why, in the words of one that asks for reasons. */
export interface Restated {
  readonly text: string;
  /** Whether it only says something of the answer before. */
  readonly leans: boolean;
  /** Of what both a figure and its reasons were asked: two questions. */
  readonly instead: readonly string[];
}

const verbs = "(?:are|were|was|is|do|did|does|have|has|had)";
const opening = new RegExp(`^(?:(?:and|but|so|ok),? )?why (?:${verbs}n['’]?t|${verbs}(?: not)?)\\b `, "i");
const closing = /,? and (?:the reasons? )?why\??$/i;
const shares = /^(?:what |show me |give me )?(?:the )?(?:percent(?:age)?|share|%|proportion) of (?:the |our |all )?/i;

const bothSaid = /^(?:and |but |so )?(?:why|how come)\b(.*?)\?\s*(.*\breasons?\b.*)$/i;
const ofReasons =
  /^(?:and |please |can you |show |give |me |the |just |list |(?:break|split)(?: (?:it|that|them|this))?(?: (?:down|out|up))? |counts? |grouped )*(?:by )?(?:the )?(?:failure |refusal |rejection )?reasons?\b(?: (?:with|and) (?:the )?(?:counts?|how many(?: each)?))?/i;

/** "Why? Break it down by reason", "why did pings get no route? Reasons with counts, October". */
function whyWithReasons(plain: string): Restated | undefined {
  const [, asked = "", second = ""] = bothSaid.exec(plain) ?? [];
  if (second === "" || !ofReasons.test(second)) return undefined;
  const behind = second.replace(ofReasons, "");
  const rest = asked.trim().replace(new RegExp(`^${verbs}\\b `, "i"), "");
  if (/n['’]?t\b|\bnot\b/i.test(asked)) return undefined;
  return { text: rest === "" ? second : `${rest} by reason${behind}`, leans: rest === "", instead: [] };
}

/** "Why were pings rejected last week": "pings rejected last week by reason". undefined where nothing asks why. */
export function whyIn(text: string): Restated | undefined {
  const plain = text.trim().replace(/[?.!]+$/, "");
  const reasoned = whyWithReasons(plain);
  if (reasoned !== undefined) return reasoned;
  if (closing.test(plain)) {
    const figure = plain.replace(closing, "");
    const reasons = `${figure.replace(shares, "")} by reason`;
    return { text: reasons, leans: false, instead: shares.test(figure) ? [figure, reasons] : [] };
  }
  if (/^(?:and |but )?why$/i.test(plain)) return { text: "by reason", leans: true, instead: [] };
  const match = opening.exec(plain);
  if (match === null || /n['’]?t |\bnot /i.test(match[0])) return undefined;
  const rest = plain.slice(match[0].length);
  const leans = /^(?:they|those|these|it)\b/i.test(rest);
  return { text: leans ? "by reason" : `${rest} by reason`, leans, instead: [] };
}

/** Whether the records that the plan counts have the reasons that it groups them by: only then it tells why. */
export function tellsWhy({ subject: name, dimensions, measures, filters }: Plan): boolean {
  const subject = subjectOf(name);
  const reason = subject.dimensions.find((each) => each.reasonOf !== undefined && dimensions.includes(each.name));
  const counts = (reason?.reasonOf ?? []).map(({ measure }) => measure);
  const isFact = (field: string) => {
    const flag = subject.flags.find((each) => each.name === field);
    return field === "outcome" || counts.some((count) => count === flag?.measure || count === flag?.unmeasure);
  };
  return (
    measures.length > 0 &&
    measures.every(
      (measure) =>
        counts.includes(measure) || (measure === subject.defaultMeasure && filters.some(({ field }) => isFact(field))),
    )
  );
}
