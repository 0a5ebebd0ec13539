import type { OrgId } from "../../ingest/primitives.ts";
import type { OrgConfig } from "../config/org-config.ts";
import type { Facts, Holder } from "../routing/facts.ts";
import type { NotedCall } from "../routing/figures/call-figures.ts";
import type { KeptJournal } from "../routing/journal.ts";
import type { CallStep } from "./call-steps.ts";

/** What a step of a call is decided on, at one instant. */
export interface Decision {
  readonly config: OrgConfig;
  readonly facts: Facts;
  readonly now: number;
  readonly journal: KeptJournal;
}
/** `skewMs`: how far the switch's clock, which the journal's times follow, is ahead of ours. */
export type DecisionAt = (orgId: OrgId, skewMs: number) => Decision;

/** A step, with what routing is to know of it at once. */
export interface Step extends CallStep {
  /** What the call holds from then on; undefined where that stays as it is. */
  readonly holders?: readonly Holder[] | undefined;
  readonly noted?: NotedCall | undefined;
}
/** After a step: what is in use, and who has called, is known in this process from then on. */
export type Heed = <S extends Step>(step: S | null) => S | null;
