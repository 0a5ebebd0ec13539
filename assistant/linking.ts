import type { Clock } from "../ingest/clock.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { isTimeZone } from "./calendar.ts";
import type { Dialect } from "./compile/dialect.ts";
import { createNameLoader, type NameLoader } from "./load-names.ts";
import type { Plan } from "./plan.ts";
import { catalogLexicon } from "./planner/link/lexicon.ts";
import type { Linking } from "./planner/link/linking.ts";
import { planQuestion } from "./planner/offline.ts";
import type { Outcome } from "./planner/outcome.ts";

export interface ToLink {
  readonly orgId: string;
  readonly timeZone: string;
  /** The questions to be read. */
  readonly texts?: readonly string[];
  readonly previous?: Plan | undefined;
}

export interface Linker {
  linkingFor(toLink: ToLink): Promise<Linking>;
  /** Called when a question is answered: names that it did not wait for can be read now. */
  answered(orgId: string): void;
}

/**
 * Provides what questions are read with: the organization's cached names, or the newest where those do not explain
 * every word.
 */
export function createLinker(given: {
  readonly warehouse: Pick<Warehouse, "query">;
  readonly clock: Clock;
  readonly dialect: Dialect;
}): Linker {
  // Made with the first question, as the lexicon is.
  let loader: NameLoader | undefined;
  return {
    async linkingFor({ orgId, timeZone, texts = [], previous }) {
      const lexicon = catalogLexicon();
      loader ??= createNameLoader({ ...given, lexicon });
      const { names, newest } = await loader.known(orgId);
      const linking = { lexicon, names, now: given.clock.now(), zone: zoneOf(timeZone) };
      if (newest === undefined || texts.every((text) => isPlain(planQuestion({ text, previous }, linking))))
        return linking;
      return { ...linking, names: await newest() };
    },
    answered: (orgId) => loader?.readRest(orgId),
  };
}

/** True where the question was understood without correcting any word. */
const isPlain = (outcome: Outcome): boolean => outcome.kind === "plan" && outcome.notes.length === 0;

export const zoneOf = (timeZone: string): string => (isTimeZone(timeZone) ? timeZone : "UTC");
