import { z } from "zod";
import { isoTime } from "../../ingest/clock.ts";
import { timestamp } from "../../ingest/primitives.ts";
import { startOfDate } from "../../ingest/time-zone.ts";
import {
  type SummaryFigures,
  type SummaryGroup,
  type SummaryKey,
  summarizeCalls,
  summaryGroups,
} from "../../warehouse/calls/call-summary.ts";
import { calendarUnits } from "../../warehouse/calls/report-dialect.ts";
import { timezone } from "../config/resources/shapes.ts";
import type { Snapshot } from "../config/snapshot.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import type { CallReportDeps } from "./call-log-operations.ts";
import { callFilterShape, toCallFilter, toCallSpan, updatedSince } from "./call-query.ts";
import { count, nameOfGroup, rate } from "./rtb-stats.ts";

export interface CallSummaryDeps extends CallReportDeps {
  readonly snapshot: Pick<Snapshot, "config">;
}

const mostGroups = 3;
const tagPrefix = "tag:";

const wallTime = z
  .union([z.iso.date(), timestamp])
  .optional()
  .describe(
    "A time, or a date alone: its midnight in `timezone`. The end is not included. Default: the 24 hours up to now.",
  );

/** `campaign,day` or `group_by=campaign&group_by=day`. */
const groupBy = z
  .union([z.string(), z.array(z.string()).max(mostGroups)])
  .default("campaign")
  .transform((given, { addIssue }): readonly SummaryGroup[] => {
    const names = [given].flat().flatMap((text) => text.split(",").map((name) => name.trim()));
    const groups = names.map(toGroup);
    const known = groups.filter((group) => group !== null);
    const fault = faultOf(names, known);
    if (fault === null) return known;
    addIssue({ code: "custom", message: fault, params: { type: "group_by_invalid" } });
    return z.NEVER;
  })
  .describe(`One to three of ${summaryGroups.join(", ")} and tag:<key>, by commas.`);

function faultOf(names: readonly string[], known: readonly SummaryGroup[]): string | null {
  if (names.length > mostGroups) return `has more than ${mostGroups} groups`;
  if (new Set(names).size < names.length) return "names a group twice";
  if (known.length < names.length) return `must be of ${summaryGroups.join(", ")} and tag:<key>`;
  return null;
}

function toGroup(name: string): SummaryGroup | null {
  const unit = calendarUnits.find((each) => each === name);
  if (unit !== undefined) return { kind: "calendar", by: unit };
  const column = summaryGroups.find((each) => each === name);
  if (column !== undefined) return { kind: "column", by: column as Extract<SummaryGroup, { kind: "column" }>["by"] };
  const key = name.startsWith(tagPrefix) ? name.slice(tagPrefix.length) : "";
  return key.length > 0 && key.length <= 64 ? { kind: "tag", key } : null;
}

const seconds = z.number().nullable();
const dollars = z.number().nullable();
const figures = {
  incoming: count,
  connected: count,
  completed: count,
  failed: count,
  converted: count,
  payable: count,
  receivable: count,
  duplicates: count,
  unique_callers: count,
  revenue: z.number(),
  payout: z.number(),
  profit: z.number(),
  margin: rate,
  avg_duration: seconds,
  total_duration: count,
  acl: seconds,
  conversion_rate: rate,
  connect_rate: rate,
  epc: dollars,
  rpc: dollars,
};
const row = z
  .object({
    group: z
      .record(z.string(), z.string().nullable())
      .describe("campaign_id with campaign_name, and so on; state, number, day or tag:<key> by themselves."),
    ...figures,
  })
  .meta({ id: "CallSummaryRow" });
const answer = z.object({
  data: z.array(row),
  totals: z.object(figures),
  meta: z.object({
    group_by: z.array(z.string()),
    timezone: z.string(),
    start_date: timestamp.nullable(),
    end_date: timestamp.nullable(),
    count,
    truncated: z.boolean(),
  }),
});

/** The summary report: statistics of calls by groups. */
export const callSummaryOperation = ({ reports, snapshot, clock }: CallSummaryDeps): Operation =>
  defineOperation({
    method: "get",
    path: "/api/v1/reports/summary",
    tag: "Reports",
    name: "getCallSummary",
    summary: "Calls in one to three groups with totals, of the last 24 hours unless a range is given",
    access: "api_key",
    limit: "api",
    query: z
      .object({
        ...callFilterShape,
        updated_since: updatedSince,
        start_date: wallTime,
        end_date: wallTime,
        group_by: groupBy,
        timezone: timezone.default("UTC"),
      })
      .loose(),
    status: 200,
    answer,
    errors: [503],
    async handle({ caller: { orgId }, query }) {
      const { group_by: groups, timezone: zone } = query;
      const times = { start_date: toTime(query.start_date, zone), end_date: toTime(query.end_date, zone) };
      const span = toCallSpan({ ...query, ...times }, clock.now());
      const asked = { orgId, filter: toCallFilter(query, span), groups, timezone: zone };
      const { rows, totals, truncated } = await summarizeCalls(reports, asked);
      const config = snapshot.config(orgId);
      const toRow = ({ keys, ...figures }: SummaryFigures & { readonly keys: readonly SummaryKey[] }) => ({
        group: Object.assign({}, ...keys.map((key, index) => shownGroup(config, groups[index], key))),
        ...figures,
      });
      return {
        data: rows.map(toRow),
        totals,
        meta: {
          group_by: groups.map(nameOf),
          timezone: zone,
          start_date: span.from?.toISOString() ?? null,
          end_date: span.to?.toISOString() ?? null,
          count: rows.length,
          truncated,
        },
      };
    },
  });

/** Returns the start of a date in the zone, so that the range holds whole days of it; a time stays as it is. */
const toTime = (given: string | undefined, zone: string): string | undefined => {
  const [year = 0, month = 1, day = 1] = (given ?? "").split("-").map(Number);
  return given?.length === "2026-01-31".length ? isoTime(startOfDate(zone, { year, month, day })) : given;
};

const nameOf = (group: SummaryGroup): string => (group.kind === "tag" ? `${tagPrefix}${group.key}` : group.by);

const named = ["campaign", "publisher", "buyer", "target", "rtb"] as const;

/** Returns the key of a group; of config, its id and its present name. */
function shownGroup(
  config: ReturnType<Snapshot["config"]>,
  group: SummaryGroup | undefined,
  key: SummaryKey,
): Record<string, string | null> {
  if (group === undefined) return {};
  const own = named.find((each) => group.kind === "column" && group.by === each);
  if (own === undefined) return { [nameOf(group)]: key.key };
  return { [`${own}_id`]: key.key, [`${own}_name`]: nameOfGroup(config, own, key) };
}
