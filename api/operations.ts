import type { Assistant } from "../assistant/assistant.ts";
import type { Similar } from "../assistant/llm/similar.ts";
import type { SqlRunner } from "../assistant/sql/runner.ts";
import type { Clock } from "../ingest/clock.ts";
import type { ReportStore } from "../warehouse/calls/call-log.ts";
import type { LoadingLag } from "../warehouse/loading-lag.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Dialects } from "./app-context.ts";
import { accessTokenOperations } from "./auth/access-token-operations.ts";
import type { LocalIssuer } from "./auth/access-tokens.ts";
import { apiKeyOperations } from "./auth/api-key-operations.ts";
import type { ApiKeyStore } from "./config/api-keys.ts";
import { auditOperations } from "./config/audit-operations.ts";
import type { AuditOutbox } from "./config/audit-outbox.ts";
import { customOperations } from "./config/custom-operations.ts";
import type { TokenStore } from "./config/issued-tokens.ts";
import { numberPoolOperations } from "./config/number-pool-operations.ts";
import { bulkPauseOperations, pauseOperations } from "./config/pause-operations.ts";
import { definitions } from "./config/registry.ts";
import { resourceOperations } from "./config/resource-operations.ts";
import type { ResourceService } from "./config/service.ts";
import type { Snapshot } from "./config/snapshot.ts";
import type { Database } from "./database/database.ts";
import type { Exports } from "./exports/export.ts";
import { assistantOperations } from "./reporting/assistant-operations.ts";
import { callDetailsOperation } from "./reporting/call-details.ts";
import { callExportOperation, callLogOperations } from "./reporting/call-log-operations.ts";
import { callSummaryOperation } from "./reporting/call-summary-operation.ts";
import { timelineOperation } from "./reporting/call-timeline.ts";
import { inboundRtbOperations } from "./reporting/inbound-rtb-operations.ts";
import { linkOperations } from "./reporting/links/link-operations.ts";
import { outboundRtbOperations } from "./reporting/outbound-rtb-operations.ts";
import { overviewOperation } from "./reporting/overview/overview-operation.ts";
import { type Adjuster, adjustmentOperation } from "./reporting/payout-adjustments/adjuster.ts";
import { boardOperations } from "./reporting/saved/board-operations.ts";
import { savedOperations } from "./reporting/saved/saved-operations.ts";
import { type ScheduleOperationsDeps, scheduleOperations } from "./reporting/schedules/schedule-operations.ts";
import { type CountOperationsDeps, countOperations } from "./routing/call-stats/count-operations.ts";
import { pingOperations } from "./routing/inbound/ping-route.ts";
import { poolStatsOperation } from "./routing/inbound/pool-stats.ts";
import { routingPartsOperation } from "./routing/parts-operation.ts";
import type { PingSender } from "./routing/rtb/pinger.ts";
import { testOperation } from "./routing/rtb/test-operation.ts";
import { routingStateOperations } from "./routing/state-operations.ts";
import type { Operation } from "./serve/operation.ts";
import type { Calls } from "./telephony/calls.ts";
import type { CarrierDeps } from "./telephony/carriers.ts";
import { type DryRunOperationDeps, dryRunOperation } from "./telephony/dry-run-operation.ts";
import { jambonzOperations } from "./telephony/jambonz/operations.ts";
import { simulatorOperations } from "./telephony/simulator.ts";
import { twilioOperations } from "./telephony/twilio/operations.ts";
import { historyOperations } from "./webhooks/history-operations.ts";
import { receiveOperations } from "./webhooks/receive/operations.ts";
import {
  type RedeliverOperationsDeps,
  redeliverMany,
  redeliverOne,
  redeliverOperations,
} from "./webhooks/redeliver/operations.ts";
import { type WebhookStatsDeps, webhookStatsOperations } from "./webhooks/stats-operations.ts";
import { type WebhookOperationsDeps, webhookOperations, webhookTrials } from "./webhooks/webhook-operations.ts";

export interface OperationDeps {
  readonly service: ResourceService;
  readonly database: Database;
  /** Publishes the records of changes to the audit log. */
  readonly outbox: AuditOutbox;
  readonly apiKeys: ApiKeyStore;
  readonly tokens: TokenStore;
  /** null where this platform takes no tokens of its own. */
  readonly issuer: LocalIssuer | null;
  readonly snapshot: Snapshot;
  readonly warehouse: Warehouse;
  readonly dialects: Dialects;
  readonly reports: ReportStore;
  readonly exports: Exports;
  readonly adjuster: Adjuster;
  readonly assistant: Assistant;
  readonly loadingLag: LoadingLag;
  readonly runSql: SqlRunner;
  /** Finds approved questions that are like one. Default: by spelling. */
  readonly similar?: Similar | undefined;
  readonly calls: Calls;
  readonly dryRun: DryRunOperationDeps;
  readonly pinger: PingSender;
  readonly delivery: WebhookOperationsDeps["delivery"] &
    RedeliverOperationsDeps["delivery"] &
    WebhookStatsDeps["delivery"];
  readonly schedules: ScheduleOperationsDeps["schedules"];
  readonly clock: Clock;
  readonly carriers: CarrierDeps;
  readonly counts: CountOperationsDeps;
  /** Receives the error of an answer that could not be stored with its session. */
  onTrouble(error: unknown): void;
}

/** Every operation of the API: the routes, the OpenAPI document and the tests of access are made from this table. */
export function allOperations(deps: OperationDeps): Operation[] {
  // Keys and users share what it keeps.
  const overview = overviewOperation(deps);
  const webhookStats = webhookStatsOperations(deps);
  return [
    ...[...definitions.values()].flatMap((definition) => resourceOperations(definition, deps)),
    ...customOperations(deps),
    ...numberPoolOperations(deps),
    poolStatsOperation(deps),
    ...pauseOperations(deps),
    ...countOperations(deps.counts),
    ...auditOperations(deps),
    ...keyOperations(deps),
    ...historyOperations(deps.reports, deps.exports),
    ...webhookOperations(deps),
    ...redeliverOperations(deps),
    ...webhookStats,
    dryRunOperation(deps.dryRun),
    ...routingStateOperations(deps.counts),
    routingPartsOperation(deps),
    ...forUsers([
      ...historyOperations(deps.reports, deps.exports),
      redeliverOne(deps),
      callDetailsOperation(deps),
      callExportOperation(deps),
      callSummaryOperation(deps),
      timelineOperation(deps),
      overview,
      adjustmentOperation(deps),
      dryRunOperation(deps.dryRun),
      ...routingStateOperations(deps.counts),
      routingPartsOperation(deps),
      ...webhookStats,
      ...bulkPauseOperations(deps),
      ...webhookTrials(deps),
      ...redeliverMany(deps),
    ]),
    ...receiveOperations,
    ...simulatorOperations(deps),
    ...twilioOperations(deps.carriers),
    ...jambonzOperations(deps.carriers),
    ...pingOperations,
    testOperation(deps),
    ...inboundRtbOperations(deps),
    ...outboundRtbOperations(deps),
    ...callLogOperations(deps),
    callSummaryOperation(deps),
    overview,
    adjustmentOperation(deps),
    timelineOperation(deps),
    callDetailsOperation(deps),
    ...assistantOperations(deps),
    ...savedOperations(deps),
    ...linkOperations(deps),
    ...boardOperations(deps),
    ...scheduleOperations(deps),
  ];
}

function keyOperations({ counts, apiKeys, tokens, snapshot, issuer }: OperationDeps): Operation[] {
  const deps = { ...counts, apiKeys, settled: snapshot.settled };
  return [...apiKeyOperations(deps), ...accessTokenOperations({ ...deps, tokens, issuer })];
}

/** The same operations for users with access tokens: at `/v1/…` beside `/api/v1/…`. */
const forUsers = (operations: readonly Operation[]): Operation[] =>
  operations.map((operation) => ({
    ...operation,
    name: `${operation.name}ForUser`,
    path: operation.path.replace(/^\/api\/v1\//, "/v1/"),
    access: "user",
  }));
