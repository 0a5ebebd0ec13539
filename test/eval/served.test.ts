// @module-tag slow
import { beforeAll, describe, expect, it } from "vitest";
import { duckdbDialect } from "../../assistant/compile/dialect-duckdb.ts";
import { createLinker } from "../../assistant/linking.ts";
import type { Plan } from "../../assistant/plan.ts";
import { type Edge, type Production, production, rulesIn } from "../../assistant/planner/grammar/production.ts";
import { grammar } from "../../assistant/planner/grammar/readings.ts";
import type { Linking } from "../../assistant/planner/link/name-index.ts";
import { planQuestion } from "../../assistant/planner/offline.ts";
import { editByGrammar, planByGrammar } from "../../assistant/planner/plan-by-grammar.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { evalNow, evalOrg, evalZone, fillWarehouse } from "./data.ts";
import { questionSets, readQuestionSet } from "./question-set.ts";

/** A production that fewer questions need is a memory of those. */
const fewest = 4;
/** How many such productions the book still has: it may fall, and be lowered here, but not rise. */
const mostMemories = 488;

let linking: Linking;
beforeAll(async () => {
  const warehouse = await openDuckdbWarehouse({ path: ":memory:" });
  await fillWarehouse(warehouse, 600);
  const clock = { now: () => evalNow, sleep: () => Promise.resolve() };
  linking = await createLinker({ warehouse, clock, dialect: duckdbDialect }).linkingFor({
    orgId: evalOrg,
    timeZone: evalZone,
  });
  await warehouse.close();
});

/** The phrases that a question was read in; a follow-up after the answer before. */
function phrasesOf(text: string, previous: Plan | undefined): readonly Edge[] {
  const edited = previous && editByGrammar(text, previous, linking);
  if (edited?.kind === "plan") return edited.phrases ?? [];
  return planByGrammar(text, linking)?.phrases ?? [];
}

/** How many questions each production has a part in. */
function served(chains: readonly (readonly string[])[]): ReadonlyMap<Production, number> {
  const counts = new Map<Production, number>();
  for (const chain of chains) {
    let previous: Plan | undefined;
    for (const [at, text] of chain.entries()) {
      for (const rule of new Set(phrasesOf(text, previous).flatMap(rulesIn)))
        counts.set(rule, (counts.get(rule) ?? 0) + 1);
      // What nothing goes on from is read once.
      const outcome = at === chain.length - 1 ? undefined : planQuestion({ text, previous }, linking);
      if (outcome?.kind === "plan") previous = outcome.plan;
    }
  }
  return counts;
}

/** The productions of a book that too few questions need. */
const memories = (book: readonly Production[], counts: ReadonlyMap<Production, number>): readonly Production[] =>
  book.filter((rule) => (counts.get(rule) ?? 0) < fewest);

/** "figure → MEASURE 'make'|'makes'". */
const sayOf = ({ name, symbols }: Production): string =>
  `${name} → ${symbols.map(({ names, isOptional }) => names.join("|") + (isOptional ? "?" : "")).join(" ")}`;

describe("the productions of the grammar book", () => {
  const book = [...grammar.values()].flat();
  const asked = questionSets
    .flatMap(readQuestionSet)
    .map((each) => ("turns" in each ? each.turns.map(({ ask }) => ask) : [each.ask]));

  it("serve four questions of the evaluation each, but for those that are known", { timeout: 600_000 }, () => {
    const few = memories(book, served(asked));
    expect(few.length, few.map(sayOf).join("\n")).toBeLessThanOrEqual(mostMemories);
    expect(few.length).toBeLessThan(book.length);
  });

  it("are counted once a question, and one that no question needs is seen", () => {
    const counts = served([["calls by campaign last month"], ["calls by day", "by campaign"]]);
    const [byGroups] = [...counts].filter(([{ name }]) => name === "group-names");
    expect(byGroups?.[1]).toBe(3);
    const idle = production("group", "'zorblatt' GRAIN");
    expect(memories([...book, idle], counts)).toContain(idle);
    expect(memories([...book, idle], counts)).toHaveLength(book.length + 1);
  });
});
