import type { Subject } from "../../catalog/field.ts";
import { complete, type Lack } from "../grammar/complete.ts";
import type { Piece } from "../grammar/piece.ts";
import { itemsThatTell } from "../grammar/terminals.ts";
import { sentenceOf } from "../link/item.ts";
import type { Linking } from "../link/linking.ts";
import type { Outcome } from "../outcome.ts";
import { readPeriod } from "../period/period.ts";
import type { Reading } from "./best-readings.ts";
import { type Asking, asQuestion, offered, refused } from "./offers.ts";

/** Asks for the figure, the group or the period that a question leaves open, and offers questions with one. */
export function whatLacks(lack: Lack, reading: Reading, asking: Asking): Outcome {
  if (lack.lacks === "sense") return refused(lack.sentence);
  const { subject } = reading;
  const { now, zone } = asking.linking;
  const completed = (pieces: readonly Piece[]) =>
    pieces.flatMap((more) => {
      const result = complete({ ...lack.piece, ...more }, { subject, now, zone });
      return result !== undefined && "plan" in result ? asQuestion(result.plan, asking) : [];
    });
  switch (lack.lacks) {
    case "figure": {
      const isRanked = lack.piece.direction !== undefined;
      const pieces = mainMeasures(subject)
        .filter((all) => !isRanked || all.length === 1)
        .map((measures) => ({
          measures,
          ...(isRanked && { orderBy: measures[0] ?? "" }),
        }));
      const { groups, period, filters } = lack.piece;
      const [all = { measures: [] }] = pieces;
      const saysNothing = groups === undefined && period === undefined && filters === undefined;
      if (saysNothing && !isRanked)
        return offered(
          "Which figure do you want to see, and over which time?",
          completed(periods(asking.linking).map((over) => ({ ...all, ...over }))),
          subject,
        );
      const sentence = isRanked ? "By which figure should I rank?" : "Which figure do you want to see?";
      return offered(sentence, completed(pieces), subject);
    }
    case "group":
      return offered(
        "What should I rank?",
        completed(
          [...subject.dimensions.slice(0, 3).map(({ name }) => name), "day"].map((name) => ({ groups: [name] })),
        ),
        subject,
      );
    case "period":
      return offered("Over which time?", completed(periods(asking.linking)), subject);
  }
}

const mainMeasures = ({ name, defaultMeasure, measures }: Subject): readonly (readonly string[])[] =>
  name === "calls"
    ? [["calls", "revenue", "profit", "conversion_rate"], ["calls"], ["revenue"], ["profit"], ["conversion_rate"]]
    : [[defaultMeasure], ...measures.slice(1, 4).map((measure) => [measure.name])];

const periods = ({ now, zone }: Linking): readonly Piece[] =>
  ["today", "yesterday", "this month", "last month", "last 30 days"].flatMap((label) => {
    const period = readPeriod(label.split(" "), now, zone)?.period;
    return period == null ? [] : [{ period }];
  });

/** A figure by itself: over all data it would be a guess. */
export function overWhichTime({ items, planOf }: Asking, { subject }: Reading): Outcome {
  const said = sentenceOf(itemsThatTell(items, subject));
  const group = subject.dimensions[0]?.words[0];
  const options = [
    `${said} last month`,
    `${said} by ${group} last month`,
    `${said} by day last 30 days`,
    `${said} of all time`,
  ];
  return offered(
    `Over which time, and by what, do you want to see ${said}?`,
    options.filter((text) => planOf(text) !== undefined),
    subject,
  );
}
