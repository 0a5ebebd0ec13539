import { z } from "zod";

/** Roles of a process: serving HTTP, turning signals into call events, delivering webhooks, loading the warehouse. */
export const roles = ["api", "lifecycle", "deliver", "load"] as const;
export type Role = (typeof roles)[number];

export const rolesField = z
  .string()
  .transform((text) => [...new Set(text.split(",").map((role) => role.trim()))])
  .pipe(z.array(z.enum(roles)))
  .prefault(roles.join(","))
  .describe(
    "What this process does, by commas; any number of processes may do each. Fewer than all need REDPANDA_BROKERS, deliver apart from api DATABASE_URL, load apart from api CLICKHOUSE_URL. Every process answers /healthz, /readyz and /metrics on its PORT.",
  );

interface Given {
  readonly ROLES: readonly Role[];
  readonly REDPANDA_BROKERS?: unknown;
  readonly DATABASE_URL?: unknown;
  readonly CLICKHOUSE_URL?: unknown;
  readonly ANALYTICS?: boolean;
}

/** Returns why a process cannot have only these roles, as a store under DATA_DIR belongs to one process; null if it can. */
export function rolesFault(settings: Given): string | null {
  const { ROLES: given, REDPANDA_BROKERS, DATABASE_URL, CLICKHOUSE_URL, ANALYTICS = true } = settings;
  const missing = roles.filter((role) => !given.includes(role));
  if (missing.length === 0) return null;
  const without = `without ${missing.join(", ")} nobody else could do that:`;
  if (REDPANDA_BROKERS === undefined)
    return `${without} the event log is kept under DATA_DIR, for one process with all roles. Set REDPANDA_BROKERS, or leave ROLES out`;
  const apart = (one: Role, other: Role) => given.includes(one) !== given.includes(other);
  if (apart("api", "deliver") && DATABASE_URL === undefined)
    return `${without} config is kept under DATA_DIR, for one process. Set DATABASE_URL, or give api and deliver to the same process`;
  if (ANALYTICS && apart("api", "load") && CLICKHOUSE_URL === undefined)
    return `${without} the warehouse is kept under DATA_DIR, for one process. Set CLICKHOUSE_URL, or give api and load to the same process`;
  return null;
}
