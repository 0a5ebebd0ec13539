import { attribution, callPlaceholders, placeholdersOf } from "../../../../api/outbound/webhook-placeholders.ts";
import { exampleEvent } from "../../../../api/webhooks/deliver/example-event.ts";
import { type CallEventName, callEventNames } from "../../../../ingest/event.ts";
import type { OrgId } from "../../../../ingest/primitives.ts";

/** A set of placeholders that are populated at the same events. */
export interface PlaceholderRow {
  readonly names: readonly string[];
  readonly events: readonly CallEventName[];
}

/** No row depends on the time. */
const anyTime = Date.UTC(2026, 0, 1);

/** Returns the events at which each placeholder is populated, for a call of which all is known that can be by then. */
export function placeholderRows(): PlaceholderRow[] {
  const events = callEventNames.map((name) => ({ name, read: placeholdersOf(exampleEvent(nobody, name, anyTime)) }));
  const rows = new Map<string, { names: string[]; events: CallEventName[] }>();
  for (const placeholder of callPlaceholders()) {
    const populated = events.filter(({ read }) => read(placeholder) !== undefined).map(({ name }) => name);
    const row = rows.get(populated.join(" ")) ?? { names: [], events: populated };
    rows.set(populated.join(" "), row);
    row.names.push(placeholder);
  }
  return [...rows.values()];
}
const nobody = "example" as OrgId;

/** The five marks are alike, and share a column. */
const columns = callEventNames.filter((name) => !/_secs_mark$/.test(name) || name === "call.on_5_secs_mark");
const headingOf = (name: CallEventName): string => (/_secs_mark$/.test(name) ? "marks" : name.replace("call.", ""));

/** Returns the table of documents, in Markdown. */
export function placeholderTable(): string {
  const cells = (row: PlaceholderRow) => columns.map((name) => (row.events.includes(name) ? "✓" : ""));
  const lines = placeholderRows().map((row) => [row.names.map((name) => `\`${name}\``).join(" "), ...cells(row)]);
  const whenKnown = columns.map(() => "✓");
  const tags = [...attribution].map((name) => `\`${name}\``).join(" ");
  const all = [
    ["placeholder", ...columns.map(headingOf)],
    ["---", ...columns.map(() => "---")],
    ...lines,
    [`${tags} and custom tags, where the call has them`, ...whenKnown],
  ];
  return all.map((row) => `| ${row.join(" | ")} |`).join("\n");
}
