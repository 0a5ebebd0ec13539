import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../ingest/clock.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { isTimeZone } from "./calendar.ts";
import type { Dialect } from "./compile/dialect.ts";
import { createNameLoader, type NameLoader } from "./names/load-names.ts";
import { alternatives, type Filter, type Plan } from "./plan.ts";
import { catalogLexicon } from "./planner/link/lexicon.ts";
import type { Linking } from "./planner/link/name-index.ts";
import { planQuestion } from "./planner/offline.ts";
import type { Outcome } from "./planner/outcome.ts";
import { toKey } from "./planner/words/tokenize.ts";

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
 * every word, or explain it by a part of a longer name.
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
      const isSettled = (text: string) => {
        const outcome = planQuestion({ text, previous }, linking);
        return isPlain(outcome) && !bearsPartOfName(text, outcome, { ...linking, previous });
      };
      if (newest === undefined || texts.every(isSettled)) return linking;
      return { ...linking, names: await newest() };
    },
    answered: (orgId) => loader?.readRest(orgId),
  };
}

type Understood = Extract<Outcome, { kind: "plan" }>;

/** True where the question was understood without correcting any word. */
const isPlain = (outcome: Outcome): outcome is Understood => outcome.kind === "plan" && outcome.notes.length === 0;

/** True where the question says only a part of a name that it is held to: a newer name may be said whole. */
function bearsPartOfName(text: string, { plan }: Understood, { names, previous }: Linking & Pick<ToLink, "previous">) {
  const said = ` ${toKey(text)} `;
  const isNew = ({ field, values }: Filter) =>
    !previous?.filters
      .flatMap(alternatives)
      .some((known) => known.field === field && isDeepStrictEqual(known.values, values));
  const isOwn = (field: string, key: string) =>
    names.whole.get(key)?.some((meaning) => meaning.kind === "value" && meaning.name === field) === true;
  return plan.filters
    .flatMap(alternatives)
    .filter(isNew)
    .some(({ field, values }) =>
      values.some((value) => {
        const key = toKey(String(value));
        return isOwn(field, key) && !said.includes(` ${key} `);
      }),
    );
}

export const zoneOf = (timeZone: string): string => (isTimeZone(timeZone) ? timeZone : "UTC");
