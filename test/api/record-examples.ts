import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { DemoFile } from "../../api/demo/installation.ts";
import type { Operation } from "../../api/serve/operation.ts";
import { unlimited } from "../compiled-service.ts";
import { spawnDemo } from "../demo-process.ts";
import { freePort } from "../free-port.ts";
import { findIds, findWebhookKeys } from "../fuzz/targets.ts";
import { carrierOperations, operations, titleOf } from "./operation-table.ts";
import { toExample } from "./to-example.ts";

/**
 * Asks the demo each operation, and writes what it answers to api/serve/answer-examples.json: the examples of answers in
 * the OpenAPI document. For a change of answers: `npm run examples`.
 */
const file = fileURLToPath(new URL("../../api/serve/answer-examples.json", import.meta.url));
const carrier = { username: "jambonz", password: "for-tests", token: "for-tests" };

interface Asking {
  readonly url: string;
  readonly organization: DemoFile["organizations"][number];
  readonly keys: ReadonlyMap<string, string>;
  /** Ids by the names that paths have for them. */
  readonly ids: Map<string, string>;
}

/** What comes first makes what others ask about; what takes away comes last. */
const rank = ({ method, path, name }: Operation): number => {
  if (method === "delete") return /\}\/[^{]/.test(path) ? 4 : 5;
  if (name === "askQuestion") return 0;
  if (/^(create|save|simulateCall$|give|saveQuestion)/.test(name)) return 1;
  return method === "get" ? 3 : 2;
};

/** What an operation cannot do without in its query; carriers are given it with the addresses that they call back. */
const queries: Readonly<Record<string, string>> = {
  "/reporting_ai/values": "?dimension=campaign",
  "/api/v1/routing/state": "?kind=target",
  "/api/v1/routing/parts": "?kind=number",
};

const queryOf = ({ organization, ids }: Asking, { path, access, query }: Operation): string => {
  if (typeof access !== "object" || query === undefined) return queries[path] ?? "";
  const given: Record<string, string> = { org_id: organization.org_id, call_id: ids.get("call_id") ?? "" };
  return `?${new URLSearchParams(Object.keys(query.shape).map((name) => [name, given[name] ?? "1"]))}`;
};

/** The id of a call or a row that an operation names; where an example wants a number, it is one that is free. */
const idOf = ({ ids }: Asking, { path, tag }: Operation, name: string): string => {
  const group = tag.toLowerCase();
  return ids.get(`${group}/${name}`) ?? ids.get(`${path.split("/{")[0]}/${name}`) ?? ids.get(name) ?? name;
};

async function ask(asking: Asking, operation: Operation): Promise<unknown> {
  const { path, method, example, bodyType } = operation;
  const filled =
    path.replace(/\{(\w+)\}/g, (_, name: string) => idOf(asking, operation, name)) + queryOf(asking, operation);
  const text = JSON.stringify(example)?.replace(/"([A-Z]+(?:_[A-Z]+)*_ID)"/g, (_, name: string) =>
    JSON.stringify(asking.ids.get(`new_${name.toLowerCase()}`) ?? idOf(asking, operation, name.toLowerCase())),
  );
  // Of real things: a number of the demo's, and what is really done.
  const real = text
    ?.replace("+18005550100", asking.organization.tracking_number)
    .replace('"dry_run":true', '"dry_run":false')
    .replace("crm-1024", `crm-${path}`);
  const body =
    bodyType === "form"
      ? new URLSearchParams(JSON.parse(real ?? "{}")).toString()
      : path.startsWith("/api/v1/numbers")
        ? text
        : real;
  const headers = headersOf(asking, operation, { filled, body });
  const sent = { method: method.toUpperCase(), headers, ...(body === undefined ? {} : { body }) };
  const answer = await fetch(asking.url + withKey(asking, filled), sent);
  const said = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${said.slice(0, 200)}`);
  return answer.headers.get("content-type")?.includes("application/json") ? JSON.parse(said) : said.slice(0, 600);
}

const withKey = ({ keys }: Asking, path: string): string => {
  const key = keys.get(path.slice(1).replaceAll("-", "_"));
  return key === undefined ? path : `${path}?svc_auth_key=${key}`;
};

function headersOf(
  { url, organization }: Asking,
  { access, bodyType }: Operation,
  { filled, body = "" }: { readonly filled: string; readonly body: string | undefined },
): Record<string, string> {
  const type = bodyType === "form" ? "application/x-www-form-urlencoded" : "application/json";
  const headers = { "Content-Type": type, "X-API-Key": organization.api_key };
  if (access === "user") return { ...headers, Authorization: `Bearer ${organization.access_token}` };
  if (typeof access !== "object") return headers;
  const login = Buffer.from(`${carrier.username}:${carrier.password}`).toString("base64");
  const fields = [...new URLSearchParams(body)].sort(([one], [other]) => (one < other ? -1 : 1)).flat();
  const signature = createHmac("sha1", carrier.token)
    .update([url + filled, ...fields].join(""))
    .digest("base64");
  return { ...headers, Authorization: `Basic ${login}`, "X-Twilio-Signature": signature };
}

/** Remembers the ids of what was made, under the names that paths have for them. */
function remember({ ids }: Asking, { path, tag, method, name: operation }: Operation, answer: unknown): void {
  const {
    id,
    call_id,
    session_id,
    message_id,
    data,
    number_group_items: rows,
  } = Object(answer) as Readonly<Record<string, unknown>>;
  if (operation === "simulateCall") ids.set("call_id", String(call_id));
  if (operation === "createCampaign") ids.set("row_id", String(Object(Object(rows)[0]).id));
  if (operation === "askQuestion") ids.set("session_id", String(session_id)).set("message_id", String(message_id));
  if (operation === "listApprovedQuestions") ids.set("approved_question_id", String(Object(Object(data)[0]).id));
  const name = operations
    .flatMap((each) => each.path.match(/^(.+)\/\{(\w+)\}$/) ?? [])
    .find((_, place, all) => all[place - 1] === path);
  if (method !== "post" || typeof id !== "string" || name === undefined) return;
  for (const key of [`${tag.toLowerCase()}/${name}`, `new_${name}`]) ids.set(key, id);
  if (!ids.has(name)) ids.set(name, id);
}

async function record(asking: Asking): Promise<Record<string, unknown>> {
  const examples: Record<string, unknown> = {};
  const troubles = new Map<string, string>();
  const ranked = [...operations, ...carrierOperations].toSorted((one, other) => rank(one) - rank(other));
  let left = ranked.filter(({ name }) => !/ForUser$/.test(name));
  // What is in use can be deleted once what names it is.
  for (let before = left.length + 1; left.length < before; ) {
    before = left.length;
    const refused: Operation[] = [];
    for (const operation of left) {
      try {
        const answer = await ask(asking, operation);
        remember(asking, operation, answer);
        if (operation.answerExample === undefined) examples[operation.name] = toExample(answer);
      } catch (error) {
        refused.push(operation);
        troubles.set(titleOf(operation), error instanceof Error ? error.message : String(error));
      }
      // Histories follow within a second or so.
      if (rank(operation) === 1) await pause(50);
    }
    left = refused;
  }
  for (const operation of left) process.stderr.write(`${titleOf(operation)}: ${troubles.get(titleOf(operation))}\n`);
  return examples;
}

const folder = mkdtempSync(join(tmpdir(), "trunkline-examples-"));
const port = await freePort();
const demo = spawnDemo(join(folder, "data"), {
  ...unlimited,
  PORT: String(port),
  DEMO_CALLS: "2000",
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  JAMBONZ_USERNAME: carrier.username,
  JAMBONZ_PASSWORD: carrier.password,
  TWILIO_AUTH_TOKEN: carrier.token,
});
try {
  const { base_url: url, organizations } = await demo.ready();
  const [organization] = organizations;
  if (organization === undefined) throw new Error("The demo has no organization.");
  const found = await findIds(url, organization);
  const ids = new Map(
    found.flatMap(({ parameter, list, ids: [id = ""] }) => [[parameter, id] as const, [`${list}/${parameter}`, id]]),
  );
  ids.set("/inbound_rtb/rtb_id", organization.inbound_rtb_id);
  const asking = { url, organization, keys: await findWebhookKeys(url, organization), ids };
  writeFileSync(file, `${JSON.stringify(await record(asking), null, 2)}\n`);
} finally {
  demo.kill();
  await demo.ended;
  rmSync(folder, { recursive: true, force: true });
}
