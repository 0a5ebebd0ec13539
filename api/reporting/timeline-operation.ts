import { z } from "zod";
import { timestamp } from "../../ingest/primitives.ts";
import { readCallStory } from "../../warehouse/calls/call-story.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { timelineSources, toTimeline } from "./timeline.ts";

export interface TimelineDeps {
  readonly warehouse: Pick<Warehouse, "query">;
}

const row = z.object({
  seq: z.int(),
  at: timestamp,
  offset_ms: z.int(),
  event: z.string(),
  source: z.enum(timelineSources),
  detail: z.record(z.string(), z.unknown()),
});

/** The way of one call (semantics 7.6). */
export const timelineOperation = ({ warehouse }: TimelineDeps): Operation =>
  defineOperation({
    method: "get",
    path: "/api/v1/reports/calls/{call_id}/timeline",
    tag: "Reports",
    summary: "What happened to a call, in order",
    access: "api_key",
    limit: "api",
    params: z.object({ call_id: z.string().min(1).max(255) }),
    status: 200,
    answer: z.object({ call_id: z.string(), data: z.array(row), truncated: z.boolean() }),
    errors: [404, 503],
    async handle({ caller, params: { call_id } }) {
      const story = await readCallStory(warehouse, caller.orgId, call_id);
      if (story === null) throw notFound(`The call ${call_id}`);
      return { call_id, data: toTimeline(story), truncated: story.truncated };
    },
  });
