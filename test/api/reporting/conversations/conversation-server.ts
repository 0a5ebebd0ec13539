import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import type { Database } from "../../../../api/database/database.ts";
import { openSqliteDatabase } from "../../../../api/database/database-sqlite.ts";
import type { Mailer } from "../../../../api/outbound/mailer.ts";
import { type AssistantDeps, assistantOperations } from "../../../../api/reporting/assistant-operations.ts";
import { linkOperations } from "../../../../api/reporting/links/link-operations.ts";
import { boardOperations } from "../../../../api/reporting/saved/board-operations.ts";
import { savedOperations } from "../../../../api/reporting/saved/saved-operations.ts";
import { scheduleOperations } from "../../../../api/reporting/schedules/schedule-operations.ts";
import { createScheduleRunner } from "../../../../api/reporting/schedules/schedule-runner.ts";
import { permissionsOf, type Ruled } from "../../../../api/serve/areas.ts";
import type { Caller } from "../../../../api/serve/caller.ts";
import { createAddressOf } from "../../../../api/serve/caller-address.ts";
import { answerErrors } from "../../../../api/serve/error-answers.ts";
import { operationRoutes } from "../../../../api/serve/operation.ts";
import { requirePermissions, rightsOfRole } from "../../../../api/serve/rights.ts";
import { createSender } from "../../../../api/webhooks/deliver/send.ts";
import { createAssistant } from "../../../../assistant/assistant.ts";
import { offlinePlanner, type Planner } from "../../../../assistant/planning.ts";
import type { AuditRecord } from "../../../../ingest/audit.ts";
import type { Clock } from "../../../../ingest/clock.ts";
import type { OrgId } from "../../../../ingest/primitives.ts";
import type { GuardedSelect } from "../../../../warehouse/guarded/guarded.ts";
import { now, openExampleWarehouse, zone } from "../../../assistant/example-data.ts";
import { orgOne } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";
import { createClient } from "../../../platform.ts";

type PlannerOver = (guarded: GuardedSelect, clock: Clock) => Planner;

/** Who asks: a user of an organization. */
export interface Analyst {
  readonly org?: OrgId;
  readonly user?: string;
  readonly admin?: boolean;
  /** One who only reads and asks. */
  readonly viewer?: boolean;
}

/**
 * The assistant's operations alone over the example's data and an empty config database, at the example's time. The
 * token of a request is `<organization>/<user>`, and `/admin` of an admin, `/viewer` of a viewer.
 */
export async function openConversations({
  planner = offlinePlanner,
  plannerOver = undefined as PlannerOver | undefined,
  database = undefined as Database | undefined,
  mailer = null as Pick<Mailer, "send"> | null,
  mailDomains = null as readonly string[] | null,
} = {}) {
  const warehouse = await openExampleWarehouse();
  database ??= await openSqliteDatabase({ path: ":memory:" });
  const clock = createManualClock(now);
  const troubles: unknown[] = [];
  const deps: AssistantDeps = {
    assistant: createAssistant({ warehouse, clock, planner: plannerOver?.(warehouse.guarded, clock) ?? planner }),
    database,
    clock,
    snapshot: { config: () => ({ organization: { timezone: zone } }) as never },
    runSql: () => Promise.reject(new Error("not asked here")),
    outbox: { drain: async () => undefined },
    onTrouble: (error) => void troubles.push(error),
  };
  const sender = createSender({ allowPrivateDestinations: true });
  const results: string[] = [];
  /** As another process on the same database has it. */
  const openRunner = () =>
    createScheduleRunner({
      ...deps,
      sender,
      mailer,
      pageAddress: () => "https://trunkline.example",
      random: () => 0.5,
      onResult: (result) => void results.push(result),
    });
  const runner = openRunner();
  const schedules = { runner, canMail: mailer !== null, mailDomains };
  const operations = [
    ...assistantOperations(deps),
    ...savedOperations(deps),
    ...linkOperations(deps),
    ...boardOperations(deps),
    ...scheduleOperations({ ...deps, schedules }),
  ];
  const guards = {
    async authenticate(request: express.Request) {
      const [org = "", id = "", role] = (request.get("Authorization") ?? "").replace("Bearer ", "").split("/");
      return {
        orgId: org as OrgId,
        actor: { type: "user" as const, id, name: null },
        admin: role === "admin",
        rights: rightsOfRole(role === "admin" || role === "viewer" ? role : "analyst"),
      };
    },
    authorize: (caller: Caller, operation: Ruled) => requirePermissions(caller, permissionsOf(operation)),
    verify: async () => undefined,
    limit: async () => {},
  };
  const app = express()
    .use(operationRoutes(operations, guards, { maxBodyBytes: 1024 * 1024, addressOf: createAddressOf(() => false) }))
    .use(answerErrors);
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { call } = createClient(url);
  const tokenOf = ({ org = orgOne, user = "analyst", admin = false, viewer = false }: Analyst) => ({
    Authorization: `Bearer ${org}/${user}${admin ? "/admin" : viewer ? "/viewer" : ""}`,
  });
  const send = (method: string, path: string, given: Analyst & { body?: unknown } = {}) =>
    call(method, `/reporting_ai${path}`, tokenOf(given), given.body);
  return {
    url,
    clock,
    database,
    troubles,
    warehouse,
    runner,
    openRunner,
    results,
    send,
    tokenOf,
    /** The audit records about one thing, as they were written. */
    async audited(id: string) {
      const rows = await database.query("SELECT record FROM audit_outbox ORDER BY id");
      return rows.map(({ record }): AuditRecord => JSON.parse(String(record))).filter((each) => each.entity_id === id);
    },
    /** What the holder of a key fetches. */
    fetch: (path: string, analyst: Analyst = {}) => call("GET", `/api/v1${path}`, tokenOf(analyst)),
    ask: (body: unknown, analyst: Analyst = {}) => send("POST", "/query", { ...analyst, body }),
    async close() {
      server.close().closeAllConnections();
      await sender.close();
      await warehouse.close();
      await database.close();
    },
  };
}
