import type { AuditRecord } from "../../../ingest/audit.ts";
import { type Actor, recordChange } from "../../config/audit-outbox.ts";
import type { Queryable } from "../../database/database.ts";
import type { AdjustmentsPlan } from "./plan.ts";

interface Recorded {
  readonly plan: AdjustmentsPlan;
  readonly now: number;
}

/** A line of the audit log for each call that changes. */
export async function recordAdjustments(db: Queryable, actor: Actor, { plan, now }: Recorded): Promise<void> {
  for (const { id, before, after } of plan.answer.data) {
    if (before === null || after === null) continue;
    const changes = (Object.keys(after) as (keyof typeof after)[])
      .filter((field) => before[field] !== after[field])
      .map((field): AuditRecord["changes"][number] => ({ field, old: before[field], new: after[field] }));
    if (changes.length > 0) {
      await recordChange(db, actor, { action: "adjust", entity: { type: "call", id, name: null }, changes, now });
    }
  }
}
