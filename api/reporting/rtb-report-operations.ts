import type { Operation } from "../serve/operation.ts";
import { inboundRtbReads } from "./inbound-rtb-operations.ts";
import { outboundRtbReads } from "./outbound-rtb-operations.ts";
import type { RtbReportDeps } from "./rtb-stats-answer.ts";

/** RTB in both directions, request by request and in figures (semantics 7.4, 7.5). */
export const rtbReportOperations = (deps: RtbReportDeps): Operation[] => [
  ...inboundRtbReads(deps),
  ...outboundRtbReads(deps),
];
