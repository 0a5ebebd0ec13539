import type { BackoffTerms } from "./backoff.ts";
import type { Formula } from "./request.ts";
import type { ToldFailures } from "./told-failures.ts";

export interface RowTerms {
  readonly terms: BackoffTerms;
  /** When the backoff was last opened, tried or closed: a row begins anew there. */
  readonly changedAt: number;
}

/**
 * Failures in a row of a formula's buyer in which those of all processes meet: each tells of its own, and of an answer that
 * ends a row that it knows of. What is told is heard a moment later; until then each goes by what it knows.
 */
export function createFailuresInRow(told: ToldFailures) {
  /** Milliseconds since 1970: of the first and the last failure here of the row under way, and of the last answer that ended one. */
  let [firstAt, lastAt, wellAt] = [0, 0, 0];

  const beganAt = (formula: Formula, changedAt: number): number => Math.max(changedAt, wellAt, told.wellAt(formula));
  const others = (formula: Formula, { terms, changedAt }: RowTerms) =>
    told.after(formula, terms, beganAt(formula, changedAt));

  return {
    /** What others have seen in the row under way. */
    others: (formula: Formula, given: RowTerms): number => others(formula, given).failures,
    /** Whether another process was answered since the row began here. */
    hasEnded: (formula: Formula): boolean => firstAt > 0 && told.wellAt(formula) >= firstAt,
    /** When the last failure of the row was, here or elsewhere. */
    lastAt: (formula: Formula, given: RowTerms): number => Math.max(lastAt, others(formula, given).lastAt),
    /** One more here, so that there are so many. */
    failed(formula: Formula, failures: number, { terms, changedAt, now }: RowTerms & { now: number }): void {
      // Later than what the row began with, whatever clocks say.
      lastAt = Math.max(now, beganAt(formula, changedAt) + 1);
      if (failures === 1) firstAt = lastAt;
      told.tell(formula, { at: lastAt, failures, ...terms });
    },
    /** An answer, after so many failures here: it is told where it ends anything. */
    answered(formula: Formula, failures: number, given: RowTerms & { now: number }): void {
      const row = others(formula, given);
      if (failures + row.failures === 0) return;
      wellAt = Math.max(given.now, row.lastAt, failures > 0 ? lastAt : 0);
      told.tell(formula, { at: wellAt, failures: 0, ...given.terms });
    },
  };
}
