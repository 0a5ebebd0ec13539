import type { OrgId } from "../ingest/primitives.ts";
import { integer, join, raw, type Statement, sql, text, time } from "./statement.ts";
import type { Row, Warehouse } from "./warehouse.ts";

export interface AuditFilter {
  /** Half-open. */
  readonly from: Date;
  readonly to: Date;
  readonly entityType?: string | undefined;
  readonly entityId?: string | undefined;
  readonly action?: string | undefined;
  readonly actorId?: string | undefined;
}
export interface AuditPage {
  readonly limit: number;
  readonly offset: number;
  readonly direction: "asc" | "desc";
}

/** Changes of config by time. */
export async function listAuditLogs(
  warehouse: Pick<Warehouse, "query">,
  { orgId, filter, page }: { orgId: OrgId; filter: AuditFilter; page: AuditPage },
): Promise<{ rows: readonly Row[]; total: number }> {
  const where = join(conditions(orgId, filter), " AND ");
  const order = raw(page.direction === "asc" ? "ASC" : "DESC");
  const [found, count] = await Promise.all([
    warehouse.query(sql`
      SELECT id, created_at, org_id, actor_type, actor_id, actor_name, action, entity_type, entity_id, entity_name,
             changes, request_id, source_ip
      FROM audit_logs WHERE ${where}
      ORDER BY created_at ${order}, id ${order} LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)}`),
    warehouse.query(sql`SELECT count(*) AS total FROM audit_logs WHERE ${where}`),
  ]);
  return { rows: found.rows, total: Number(count.rows[0]?.total ?? 0) };
}

function conditions(orgId: OrgId, filter: AuditFilter): Statement[] {
  const equal = (column: string, value: string | undefined) =>
    value === undefined ? [] : [sql`${raw(column)} = ${text(value)}`];
  return [
    sql`org_id = ${text(orgId)}`,
    sql`created_at >= ${time(filter.from)}`,
    sql`created_at < ${time(filter.to)}`,
    ...equal("entity_type", filter.entityType),
    ...equal("entity_id", filter.entityId),
    ...equal("action", filter.action),
    ...equal("actor_id", filter.actorId),
  ];
}
