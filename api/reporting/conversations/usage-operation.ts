import { z } from "zod";
import { dayMs } from "../../../assistant/calendar.ts";
import { isoTime } from "../../../ingest/clock.ts";
import { ValidationError } from "../../serve/errors.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import type { QueryDeps } from "./query-operation.ts";
import { listUsage, monthOf, totalUsage } from "./usage-rows.ts";

const mostDays = 366;

const usage = z.object({
  questions: z.int(),
  requests: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost_usd: z.number().nullable().describe("By the prices of that day; null where none were set."),
});

/** An organization's use of the language model. */
export const usageOperation = ({ database, clock }: Pick<QueryDeps, "database" | "clock">): Operation =>
  defineOperation({
    tag: "Reporting assistant",
    access: "user",
    limit: "assistant",
    method: "get",
    path: "/reporting_ai/usage",
    name: "getModelUsage",
    summary: "Questions, tokens and cost of the language model by day and model, of the organization",
    query: z.object({
      start_date: z.iso.date().optional().describe("First day, in UTC. Default: the first of this month."),
      end_date: z.iso.date().optional().describe("The day after the last one, in UTC. Default: tomorrow."),
    }),
    status: 200,
    answer: z.object({
      data: z.array(usage.extend({ day: z.string(), model: z.string() })),
      total: usage,
    }),
    errors: [503],
    async handle({ caller, query }) {
      const now = clock.now();
      const until = query.end_date ?? isoTime(now + dayMs).slice(0, 10);
      const days = { from: query.start_date ?? monthOf(Date.parse(until) - dayMs), until };
      const count = (Date.parse(days.until) - Date.parse(days.from)) / dayMs;
      if (count < 1 || count > mostDays)
        throw new ValidationError([
          {
            loc: ["query", "start_date"],
            type: "value_error",
            msg: `must be before end_date (${until}), by at most ${mostDays} days`,
          },
        ]);
      const [data, total] = await Promise.all([
        listUsage(database, caller.orgId, days),
        totalUsage(database, caller.orgId, days),
      ]);
      return { data, total };
    },
  });
