import type { OrgId } from "../../ingest/primitives.ts";

/** A logical event of a customer's system (spec: Inbound idempotency). */
export interface Transaction {
  readonly orgId: OrgId;
  readonly id: string;
}

/** Where what was decided for them stands. */
export type ReceiptTable = "webhook_receipts" | "adjustment_receipts";
