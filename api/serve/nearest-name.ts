import { distance } from "../../assistant/planner/words/distance.ts";

/** Letters and digits alone, so that `callId`, `call-id` and `Call_ID` are one. */
const fold = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * The known name that a misspelt one was most likely meant for: the same but for case and separators, a typing error or
 * two away, or the only one that it is the beginning of (`campaign` of `campaign_id`). Null where none is near.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  const said = fold(name);
  if (said.length < 3) return null;
  const most = said.length >= 6 ? 2 : 1;
  const [first, second] = known
    .map((each) => ({ each, far: distance(said, fold(each), most) }))
    .filter(({ far }) => far <= most)
    .toSorted((one, other) => one.far - other.far);
  if (first !== undefined && first.far !== second?.far) return first.each;
  const [only, another] = known.filter((each) => fold(each).startsWith(said));
  return only !== undefined && another === undefined ? only : null;
}
