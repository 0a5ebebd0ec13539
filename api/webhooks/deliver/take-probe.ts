import { type Clock, isoTime } from "../../../ingest/clock.ts";
import type { Resource } from "../../config/registry.ts";
import type { HealthTerms } from "./health.ts";
import type { createHealthWriter } from "./health-writer.ts";

interface ProbeDeps {
  readonly writeHealth: ReturnType<typeof createHealthWriter>["writeHealth"];
  readonly clock: Clock;
  readonly terms: HealthTerms;
}
export type Probed = Pick<Resource<"outgoing_webhook">, "id" | "org_id" | "health">;

/** Whether this process is the one to probe a paused webhook now: one is, and not before its time. */
export async function takeProbe({ writeHealth, clock, terms }: ProbeDeps, webhook: Probed): Promise<boolean> {
  const at = webhook.health?.next_probe_at;
  if (at == null || clock.now() < Date.parse(at)) return false;
  let isOurs = false;
  const written = await writeHealth({ orgId: webhook.org_id, webhookId: webhook.id }, (health) => {
    isOurs = health?.next_probe_at === at;
    return isOurs && health ? { ...health, next_probe_at: isoTime(clock.now() + terms.probeEveryMs) } : health;
  });
  return written && isOurs;
}
