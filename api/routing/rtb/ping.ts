import type { Clock } from "../../../ingest/clock.ts";
import type { ControlRefusal, PingControls } from "./controls.ts";
import type { PingLimits } from "./deadline.ts";
import { type Execution, execute } from "./execute.ts";
import type { Health } from "./health.ts";
import type { PingSender } from "./pinger.ts";
import type { PingContext } from "./placeholders.ts";
import type { Formula } from "./request.ts";

/** Nothing was sent, and that is counted nowhere. */
export interface NotAsked {
  readonly kind: "not_asked";
  readonly reason: ControlRefusal;
}

export interface PingDeps {
  readonly controls: PingControls;
  readonly sender: PingSender;
  readonly clock: Clock;
}

export interface PingOptions extends PingLimits {
  /** Called when its controls have let it through, before anything is sent. */
  onSent?(): void;
}

/** Asks a formula's buyer for a bid where its controls let it be asked, and tells them how that went. */
export function createPing({ controls, sender, clock }: PingDeps) {
  return async (formula: Formula, context: PingContext, options: PingOptions): Promise<Execution | NotAsked> => {
    const entry = controls.enter(formula);
    if (entry.kind === "refused") return { kind: "not_asked", reason: entry.reason };
    options.onSent?.();
    let health: Health = { kind: "unknown" };
    try {
      const execution = await execute(formula, context, { limits: options, sender, clock });
      health = execution.health;
      return execution;
    } finally {
      entry.leave(health);
    }
  };
}
export type Ping = ReturnType<typeof createPing>;
