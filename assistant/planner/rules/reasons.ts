import type { Dimension } from "../../catalog/field.ts";
import { toKey } from "../words/tokenize.ts";
import { addMeasure, type Reading, senses } from "./reading.ts";

/** "No bid reasons by buyer", "refusal reasons by publisher": what they are the reasons of is counted, where no figure is named. */
export function settleReasons(reading: Reading): void {
  const { draft, items, subject } = reading;
  const reason = subject.dimensions.find(({ name, reasonOf }) => reasonOf && draft.dimensions.includes(name));
  const said = items.find((_, at) =>
    senses(reading, at).some((each) => each.kind === "dimension" && each.name === reason?.name),
  )?.said;
  if (reason === undefined || said === undefined || draft.listing || draft.having.length > 0) return;
  const own = countOfWording(reason, said);
  const isBusiest = draft.order?.by === subject.defaultMeasure;
  // "The most common no bid reason" ranks by what it is the reason of.
  if (own !== undefined && isBusiest && draft.order !== null) draft.order = { ...draft.order, by: own };
  const isNamed = items.some((_, at) => senses(reading, at).some(({ kind }) => kind === "subject"));
  const isPlain = /reason|class|type|kind|cause|code/i.test(said) && draft.order === null;
  const measure = own ?? (isPlain && !isNamed ? reason.reasonOf?.[0]?.measure : undefined);
  if (measure !== undefined && draft.measures.every((name) => isBusiest && name === subject.defaultMeasure)) {
    draft.measures = [];
    addMeasure(reading, measure);
  }
}

/** Of a wording that tells what it is the reason of: "no bid reason". */
function countOfWording({ reasonOf = [] }: Dimension, said: string): string | undefined {
  const key = toKey(said);
  return reasonOf.find(({ words }) => words?.some((word) => toKey(word) === key))?.measure;
}
