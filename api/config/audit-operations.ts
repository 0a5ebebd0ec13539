import { z } from "zod";
import { auditActions } from "../../ingest/audit.ts";
import type { Clock } from "../../ingest/clock.ts";
import { timestamp } from "../../ingest/primitives.ts";
import { listAuditLogs } from "../../warehouse/audit-logs.ts";
import type { Row, Warehouse } from "../../warehouse/warehouse.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../serve/pages.ts";
import { timeQuery, toTimeRange } from "../serve/time-range.ts";

const short = z.string().max(255).optional();
const record = z.object({
  id: z.string(),
  created_at: timestamp,
  org_id: z.string(),
  actor: z.object({ type: z.string(), id: z.string(), name: z.string().nullable() }),
  action: z.enum(auditActions),
  entity_type: z.string(),
  entity_id: z.string(),
  entity_name: z.string().nullable(),
  changes: z.array(z.object({ field: z.string(), old: z.unknown(), new: z.unknown() })),
  request_id: z.string().nullable(),
  source_ip: z.string().nullable(),
});

/** Operation that lists the audit log of an organization's config. */
export function auditOperations({ warehouse, clock }: { warehouse: Warehouse; clock: Clock }): Operation[] {
  return [
    defineOperation({
      method: "get",
      path: "/api/v1/audit-logs",
      tag: "Audit log",
      name: "listAuditLogs",
      summary: "Changes of config, of the last 24 hours unless a range is given",
      access: "api_key",
      limit: "api",
      query: pageQuery.extend({
        ...timeQuery,
        entity_type: short,
        entity_id: short,
        action: z.enum(auditActions).optional(),
        actor_id: short,
      }),
      status: 200,
      answer: pageOf(record),
      errors: [503],
      async handle({ caller, query }) {
        const { limit, offset, sort_direction } = query;
        const { rows, total } = await listAuditLogs(warehouse, {
          orgId: caller.orgId,
          filter: {
            ...toTimeRange(query, clock.now()),
            entityType: query.entity_type,
            entityId: query.entity_id,
            action: query.action,
            actorId: query.actor_id,
          },
          page: { limit, offset, direction: sort_direction },
        });
        return toPage(rows.map(toRecord), total, { limit, offset });
      },
    }),
  ];
}

const toRecord = ({ actor_type, actor_id, actor_name, ...row }: Row) => ({
  ...row,
  actor: { type: actor_type, id: actor_id, name: actor_name },
});
