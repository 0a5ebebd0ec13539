import type { OrgConfig } from "../../config/org-config.ts";
import type { Resource } from "../../config/registry.ts";
import type { CallStats } from "../call-stats.ts";
import type { DecisionTrace } from "../decision-trace.ts";
import type { FilterJudge, Subject } from "../filters.ts";
import type { Quote, Unquoted } from "./quote.ts";

/** A call, or a ping, that destinations are asked for, with all that they are judged by. */
export interface Asking {
  readonly config: OrgConfig;
  readonly stats: CallStats;
  readonly campaign: Resource<"campaign">;
  /** Undefined where a menu leads somewhere without a plan. */
  readonly plan: Resource<"routing_plan"> | undefined;
  readonly call: Omit<Subject, "timezone">;
  /** Of this decision alone. */
  readonly filtering: FilterJudge;
  /** Null for a ping. */
  readonly callId: string | null;
  /** Of the inbound ping that this is, or that the call came from. */
  readonly inboundRequestId: string | null;
  readonly trace: DecisionTrace;
  /** Destinations that the call has been sent to, as `triedKey` names them: they are not asked again. */
  readonly tried?: readonly string[] | undefined;
  /** When whoever asks must have an answer, by the clock; undefined where formulas' own time bounds it. */
  readonly deadlineAt?: number | undefined;
}

export type Route = Resource<"routing_plan">["routes"][number];

/** What a route came to: whom the call may be sent to, best first, and who was left out. */
export interface Asked {
  readonly quotes: readonly Quote[];
  readonly unquoted: readonly Unquoted[];
  /** What buyers' answers gave for the call: tags for later routes and webhooks. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Asks where a route leads; whatever goes wrong is part of the result. */
export type AskRoute = (route: Route, asking: Asking) => Promise<Asked>;

/** How a destination is remembered that a call has been sent to. */
export const triedKey = ({ kind, id }: { readonly kind: string; readonly id: string | undefined }): string =>
  `${kind} ${id}`;
