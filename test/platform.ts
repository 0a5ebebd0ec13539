import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { type Dispatcher, request } from "undici";
import { onTestFinished } from "vitest";
import { startPlatform } from "../api/compose.ts";
import type { ConfigInput } from "../api/config/registry.ts";
import { readSettings } from "../api/settings/settings.ts";
import type { CallEventName } from "../ingest/event.ts";
import type { OrgId } from "../ingest/primitives.ts";
import { orgOne, orgTwo, ownNumber } from "./make.ts";
import { copyMigrated, skipLastCheckpoint } from "./migrated-files.ts";
import { openStores, type PlatformStores } from "./platform-stores.ts";
import { temporaryFolder } from "./temporary.ts";

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A customer's system: remembers what it is sent, and answers as it is told to. */
export async function openTestReceiver(
  answer: (request: ReceivedRequest) => { status: number; body?: string } = () => ({ status: 200 }),
) {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const heard = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: await text(request),
    };
    received.push(heard);
    const { status, body = "ok" } = answer(heard);
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** The tracking number of an organization with the example's config. */
export const trackingNumberOf = (org: OrgId): string => ownNumber(org);
/** That of the first organization. */
export const trackingNumber = trackingNumberOf(orgOne);
export const lineOf = (target: "first" | "second") => (target === "first" ? "+18885550101" : "+18885550102");

type Documents = ConfigInput[];

/** One campaign with two targets in order of priority, and a webhook for each of the events given. */
export function exampleConfig(
  receiverUrl: string,
  events: readonly CallEventName[] = [],
  org: OrgId = orgOne,
): Documents {
  const about = { org_id: org, created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
  const id = (name: string) => `${org}-${name}`;
  const target = (name: "first" | "second") => ({
    type: "target" as const,
    doc: {
      ...about,
      id: id(name),
      name: `${name} target`,
      buyer_id: id("buyer"),
      type: "number" as const,
      number: lineOf(name),
      revenue: 30,
      payout_condition: "call_length_connected" as const,
      payout_condition_duration: 10,
    },
  });
  return [
    { type: "buyer", doc: { ...about, id: id("buyer"), name: "Sunny Group" } },
    { type: "publisher", doc: { ...about, id: id("publisher"), name: "Blue Lake Media" } },
    target("first"),
    target("second"),
    ...events.map((event_type_id) => ({
      type: "outgoing_webhook" as const,
      doc: {
        ...about,
        id: id(event_type_id),
        name: `tell ${event_type_id}`,
        event_type_id,
        url: `${receiverUrl}/[CALL_ID]`,
        body: { event: event_type_id, caller: "[CALLER_ID]", payout: "[PAYOUT_NUMERIC]" },
      },
    })),
    {
      type: "routing_plan",
      doc: {
        ...about,
        id: id("plan"),
        name: "Plan",
        routes: [
          { id: "r2", action: "route-to-target", target_id: id("second"), priority: 2 },
          { id: "r1", action: "route-to-target", target_id: id("first"), priority: 1 },
        ],
      },
    },
    { type: "number", doc: { ...about, id: id("number"), number: trackingNumberOf(org) } },
    {
      type: "campaign",
      doc: {
        ...about,
        id: id("campaign"),
        name: "Solar East",
        routing_plan_id: id("plan"),
        payout: 20,
        outgoing_webhooks: events.map((event) => id(event)),
        number_group_items: [{ id: "n1", number_id: id("number"), publisher_id: id("publisher") }],
      },
    },
  ];
}

const opened = new Map<string, Promise<PlatformStores>>();

/** The same for a folder each time: a platform that is opened on it again finds what it had. Gone after the test. */
export function storesOf(dataDir: string): Promise<PlatformStores> {
  const known = opened.get(dataDir);
  if (known !== undefined) return known;
  const opening = openStores();
  opened.set(dataDir, opening);
  onTestFinished(async () => (await opening).remove());
  return opening;
}

export interface PlatformGiven {
  readonly dataDir?: string;
  readonly documents?: (org: OrgId) => Documents;
  readonly settings?: Record<string, string>;
}

/**
 * The whole platform with two organizations, on a free port; stopped after the test. It is the embedded one, or on the
 * services that the tests are given, apart from others by its folder.
 */
export async function openPlatform({ dataDir: kept, documents, settings = {} }: PlatformGiven = {}) {
  const dataDir = kept ?? temporaryFolder();
  const stores = await storesOf(dataDir);
  const given = { ...stores.settings, ...settings };
  const environment = { DATA_DIR: dataDir, PORT: "0", ALLOW_PRIVATE_DESTINATIONS: "true", ...given };
  await copyMigrated(dataDir, given);
  const platform = await startPlatform(readSettings(environment), { logger: pino({ level: "silent" }) });
  if (kept === undefined) await skipLastCheckpoint(platform.warehouse);
  onTestFinished(() => platform.stop());
  const members = [];
  for (const [id, name] of [
    [orgOne, "First"],
    [orgTwo, "Second"],
  ] as const) {
    await platform.config.saveOrganization({ id, name, timezone: "UTC" });
    if (documents) await platform.config.save(id, documents(id));
    const { key } = await platform.apiKeys.issue(id, "test");
    members.push({ id, key, token: (await platform.issueToken?.({ userId: "analyst", orgId: id }, 600)) ?? "" });
  }
  const url = await platform.listen();
  const [one, two] = members;
  if (one === undefined || two === undefined) throw new Error("no organizations");
  return { platform, url, one, two, dataDir, environment, ...createClient(url) };
}

/** Calls the API as a customer does: JSON in, status and JSON out. Not by `fetch`, which costs five times as much. */
export function createClient(url: string) {
  async function call(method: string, path: string, headers: Record<string, string>, body?: unknown) {
    const response = await request(url + path, {
      method: method as Dispatcher.HttpMethod,
      headers: { ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      body: body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body),
    });
    const answer = await response.body.text();
    const answered = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    const read = answered.has("Content-Disposition") ? (text: string) => text : JSON.parse;
    return { status: response.statusCode, headers: answered, body: answer === "" ? null : read(answer) };
  }
  return {
    get: (path: string, key: string) => call("GET", path, { "X-API-Key": key }),
    post: (path: string, key: string, body: unknown) => call("POST", path, { "X-API-Key": key }, body),
    ask: (query: unknown, token: string) =>
      call("POST", "/reporting_ai/query", { Authorization: `Bearer ${token}` }, { query }),
    call,
  };
}
