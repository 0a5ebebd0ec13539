import { catalog, subjectOf } from "../catalog/catalog.ts";
import { mostUnknown, suggest } from "./correct-typos.ts";
import type { Item } from "./link/item.ts";
import type { Linking } from "./link/linking.ts";
import { namesSubject, type Reading } from "./rules/reading.ts";
import { figuresOf } from "./which.ts";

export const offTopic =
  "I answer questions about your calls, webhook deliveries, incoming webhook requests and RTB requests, such as “revenue by campaign last month”.";

export const withoutBefore = "I am not sure what that goes on from. Please ask it as a whole question.";

/** No kind of record has all of these fields. */
export const mixed = (items: readonly Item[]): string => {
  const said = items.filter(({ kind }) => kind === "meanings");
  const named = catalog.filter((subject) => namesSubject({ items, subject }));
  const foreign = said.filter(
    (item) =>
      item.kind === "meanings" &&
      !item.meanings.some((meaning) => !("subject" in meaning) || meaning.subject === (named[0]?.name ?? "calls")),
  );
  const fields = foreign.map((item) => `"${item.said}"`).join(" or ") || "such field";
  const lack =
    named[0] === undefined ? `no kind of record has all of that; calls have no` : `${named[0].noun.many} have no`;
  return `I cannot combine these in one question: ${lack} ${fields}.`;
};

const quotedList = (items: readonly Item[]): string => items.map(({ said }) => `"${said}"`).join(", ");

/** When names were cut, the word may be one of those. */
const namesCut = ({ names }: Linking): string =>
  names.complete ? "" : " You have more names than I keep in mind, so I may not know all of them.";

/** Names the first words that were not understood; so many are not asked about one by one. */
export const mostlyUnknown = (unknown: readonly Item[], linking: Linking): string =>
  `I did not understand ${quotedList(unknown.slice(0, mostUnknown))} and ${unknown.length - mostUnknown} more. Ask in fewer words, such as “revenue by campaign last month”.${namesCut(linking)}`;

/** Names what was not understood and what it may have meant. */
export function notUnderstood(left: readonly Item[], { subject }: Reading, linking: Linking): string {
  const foreign = left.filter(({ kind }) => kind === "unknown");
  const named = foreign.length > 0 ? foreign : left;
  const near = left.flatMap((item) => (item.kind === "unknown" ? suggest(item.said, linking) : [])).slice(0, 4);
  const unknown = left.some(({ kind }) => kind === "unknown");
  const hint =
    near.length > 0
      ? ` Did you mean ${near.map((word) => `"${word}"`).join(" or ")}?`
      : ` You can ask for ${figuresOf(subject).join(", ")} by ${subjectOf(subject.name)
          .dimensions.slice(0, 4)
          .map(({ words }) => words[0])
          .join(", ")}.`;
  return `I did not understand ${quotedList(named)}.${hint}${unknown ? namesCut(linking) : ""}`;
}
