import { boundsPage } from "./book/bounds.ts";
import { clausesPage, conditionsPage } from "./book/conditions.ts";
import { edits } from "./book/edits.ts";
import { countsPage, figuresPage } from "./book/figures.ts";
import { groupsPage } from "./book/groups.ts";
import { listsPage } from "./book/lists.ts";
import { namesPage } from "./book/names.ts";
import { openingsPage } from "./book/openings.ts";
import { rankingsPage } from "./book/rankings.ts";
import { sharesPage } from "./book/shares.ts";
import { overGroupsPage, spreadsPage } from "./book/spreads.ts";
import { timesPage } from "./book/times.ts";
import type { Production } from "./production.ts";

const pages: readonly Production[] = [
  ...openingsPage,
  ...figuresPage,
  ...countsPage,
  ...spreadsPage,
  ...overGroupsPage,
  ...groupsPage,
  ...rankingsPage,
  ...conditionsPage,
  ...namesPage,
  ...boundsPage,
  ...timesPage,
  ...listsPage,
  ...sharesPage,
  ...clausesPage,
  ...edits,
];

/**
 * The grammar of questions: how the phrases are built that a question consists of, by the name of what they say. A question
 * is a row of phrases that do not contradict each other; `readings.ts` finds the fewest that explain all its words.
 */
export const grammar: ReadonlyMap<string, readonly Production[]> = new Map(
  [...new Set(pages.map(({ name }) => name))].map((name) => [name, pages.filter((each) => each.name === name)]),
);
