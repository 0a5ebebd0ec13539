import { createUnitOfWork } from "../../config/unit-of-work.ts";
import type { QueryDeps } from "./query-operation.ts";

/** Makes changes of questions that an organization shares, each with its audit record; no decision waits for them. */
export const auditedChange = ({ database, outbox, onTrouble }: QueryDeps) =>
  createUnitOfWork({ database, outbox, onTrouble, settled: async () => undefined });
