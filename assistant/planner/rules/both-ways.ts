import { findFlag } from "../../catalog/catalog.ts";
import { negation } from "./negation.ts";
import {
  addDimension,
  addMeasure,
  before,
  hasRole,
  indexesOf,
  measureAt,
  measureOfFlag,
  type Reading,
  sensesAs,
  use,
} from "./reading.ts";

/** "matched and unmatched requests", "converted vs not converted": both counts, else grouped by which of the two. */
export function readBothWays(reading: Reading, index: number, name: string): boolean {
  const sides = sidesOf(reading, name);
  const [first] = sides;
  if (first === undefined || sides.every(({ holds }) => holds === first.holds)) return false;
  const rival = sides.find((side) => side.name !== name)?.name;
  const opposite = rival === undefined ? findFlag(reading.subject, name)?.unmeasure : measureOfFlag(reading, rival);
  if (opposite === undefined) addDimension(reading, name);
  else for (const each of [measureOfFlag(reading, name), opposite]) addMeasure(reading, each);
  const places = new Set(sides.map(({ at }) => at));
  const isFigureElsewhere = reading.items.some((_, at) => !places.has(at) && measureAt(reading, at) !== undefined);
  if (!isFigureElsewhere && reading.draft.measures.length === 0) addMeasure(reading, reading.subject.defaultMeasure);
  const nots = sides.flatMap(({ not }) => (not === undefined ? [] : [not]));
  const joints = sides.map(({ at, not }) => before(reading, not ?? at)).filter((at) => isJoint(reading, at));
  const compared = joints.length > 0 ? indexesOf(reading, "versus", "side_by_side") : [];
  use(reading, index, ...places, ...nots, ...joints, ...compared);
  return true;
}

/** Where a fact or its opposite is named, and which of the two is meant. */
function sidesOf(reading: Reading, name: string): readonly Side[] {
  const rival = findFlag(reading.subject, name)?.rival;
  return reading.items.flatMap((_, at) => {
    const not = negation(reading, at);
    const flags = sensesAs(reading, at, "flag").filter((flag) => flag.name === name || flag.name === rival);
    return flags.map((flag) => ({
      at,
      not,
      name: flag.name,
      holds: (flag.holds === (not === undefined)) === (flag.name === name),
    }));
  });
}

interface Side {
  readonly at: number;
  readonly not: number | undefined;
  readonly name: string;
  /** Of the fact that is asked about: a rival that holds says that it does not. */
  readonly holds: boolean;
}

const isJoint = (reading: Reading, at: number): boolean => hasRole(reading, at, "versus", "and", "or");
