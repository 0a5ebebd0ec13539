import { boundsPage } from "./book/bounds.ts";
import { clauseBook } from "./book/clauses.ts";
import { conditionsPage } from "./book/conditions.ts";
import { countBook } from "./book/counts.ts";
import { edits } from "./book/edits.ts";
import { figuresPage } from "./book/figures.ts";
import { groupsPage } from "./book/groups.ts";
import { listsPage } from "./book/lists.ts";
import { namesPage } from "./book/names.ts";
import { openingsPage } from "./book/openings.ts";
import { overGroupsBook } from "./book/over-groups.ts";
import { rankingsPage } from "./book/rankings.ts";
import { sharesPage } from "./book/shares.ts";
import { spreadBook } from "./book/spreads.ts";
import { timesPage } from "./book/times.ts";
import type { Production } from "./production.ts";

const pages: readonly Production[] = [
  ...openingsPage,
  ...figuresPage,
  ...countBook,
  ...spreadBook,
  ...overGroupsBook,
  ...groupsPage,
  ...rankingsPage,
  ...conditionsPage,
  ...namesPage,
  ...boundsPage,
  ...timesPage,
  ...listsPage,
  ...sharesPage,
  ...clauseBook,
  ...edits,
];

/**
 * The grammar of questions: how the phrases are built that a question consists of, by the name of what they say. A question
 * is a row of phrases that do not contradict each other; `readings.ts` finds the fewest that explain all its words.
 */
export const grammar: ReadonlyMap<string, readonly Production[]> = new Map(
  [...new Set(pages.map(({ name }) => name))].map((name) => [name, pages.filter((each) => each.name === name)]),
);
