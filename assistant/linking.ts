import type { Clock } from "../ingest/clock.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { isTimeZone } from "./calendar.ts";
import type { Dialect } from "./compile/dialect.ts";
import { createNameLoader } from "./load-names.ts";
import type { Plan } from "./plan.ts";
import { createLexicon } from "./planner/link/lexicon.ts";
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
  const begin = () => {
    const lexicon = createLexicon();
    return { lexicon, loader: createNameLoader({ ...given, lexicon }) };
  };
  // With the first question: it takes a fifth of the time in which a process starts.
  let begun: ReturnType<typeof begin> | undefined;
  return {
    async linkingFor({ orgId, timeZone, texts = [], previous }) {
      begun ??= begin();
      const { lexicon, loader } = begun;
      const { names, newest } = await loader.known(orgId);
      const linking = { lexicon, names, now: given.clock.now(), zone: zoneOf(timeZone) };
      if (newest === undefined || texts.every((text) => isPlain(planQuestion({ text, previous }, linking))))
        return linking;
      return { ...linking, names: await newest() };
    },
    answered: (orgId) => begun?.loader.readRest(orgId),
  };
}

/** True where the question was understood without correcting any word. */
const isPlain = (outcome: Outcome): boolean => outcome.kind === "plan" && outcome.notes.length === 0;

export const zoneOf = (timeZone: string): string => (isTimeZone(timeZone) ? timeZone : "UTC");
