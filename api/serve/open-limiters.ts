import type { ProcessContext } from "../process/context.ts";
import { createMemoryLimiters, type Limiters, openSharedLimiters } from "./limiters.ts";

/** The limits of the settings, shared by all processes where they share a database. */
export async function openLimiters({
  settings,
  shutdown,
}: Pick<ProcessContext, "settings" | "shutdown">): Promise<Limiters> {
  const limits = {
    api: settings.API_RATE_LIMIT_PER_MIN,
    assistant: settings.ASSISTANT_RATE_LIMIT_PER_MIN,
    webhooks: settings.WEBHOOK_RATE_LIMIT_PER_MIN,
    rtb: settings.RTB_RATE_LIMIT_PER_MIN,
  };
  return settings.DATABASE_URL === undefined
    ? createMemoryLimiters(limits)
    : shutdown.add("rate limiters", await openSharedLimiters(limits, settings.DATABASE_URL)).limiters;
}
