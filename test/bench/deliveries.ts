import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import { openDeliverer } from "../api/webhooks/deliver/open-deliverer.ts";
import { anEvent, anOutgoingWebhook, orgOne, orgTwo, signalsOfCall } from "../make.ts";
import type { Bench } from "./bench.ts";

/** Deliveries that a dead endpoint has waiting at the start, and what another endpoint is told of beside each one. */
const backlog = 2000;
const beside = 5;
const rounds = 400;

/** What the delay of a delivery is beside an endpoint that answers, and beside one that never does. */
export async function openDeliveryBench(): Promise<Bench> {
  const healthy = await openHealthy();
  const dead = await openDead();
  const hooks = {
    own: anOutgoingWebhook({ id: "own", url: `${healthy.url}/[CALL_ID]` }),
    busy: anOutgoingWebhook({ id: "busy", url: `${healthy.url}/[CALL_ID]` }),
    dead: anOutgoingWebhook({ id: "dead", url: `${dead.url}/[CALL_ID]` }),
    another: anOutgoingWebhook({ id: "another", org_id: orgTwo, url: `${healthy.url}/[CALL_ID]` }),
  };
  const opened = await Promise.all(
    ["answered", "unanswered"].map(async (name) => {
      const dataDir = mkdtempSync(join(tmpdir(), `trunkline-bench-${name}-`));
      const webhooks = Object.values(hooks);
      return { dataDir, deliverer: await openDeliverer({ dataDir, webhooks, pausesMs: [5000, 30_000, 120_000] }) };
    }),
  );
  const [answered, unanswered] = opened;
  if (answered === undefined || unanswered === undefined) throw new Error("no deliverers");
  const tell = async ({ deliverer }: typeof answered, ...told: readonly Told[]) => {
    await deliverer.log.publish(told.map((each) => ({ topic: "call-events", ...toMessage(each) })));
  };
  let calls = 0;
  const others = (hook: string, count: number): Told[] =>
    Array.from({ length: count }, () => ({ call: `other-${++calls}`, org: orgOne, hook }));
  await tell(unanswered, ...others("dead", backlog));

  const subject = (name: string, where: typeof answered, { hook, org, other }: SubjectOf) => ({
    name,
    unit: "delivery",
    units: 1,
    async round() {
      const call = `call-${++calls}`;
      const heard = healthy.heard(call);
      await tell(where, ...others(other, beside), { call, org, hook });
      await heard;
    },
  });
  return {
    comparisons: [
      {
        title: `The delay of a delivery beside a busy endpoint: one that answers, and one that never does and has ${backlog} waiting`,
        rounds,
        baseline: subject("beside one that answers", answered, { hook: "own", org: orgOne, other: "busy" }),
        subjects: [
          subject("beside a dead one of its organization", unanswered, { hook: "own", org: orgOne, other: "dead" }),
          subject("beside a dead one of another", unanswered, { hook: "another", org: orgTwo, other: "dead" }),
        ],
      },
    ],
    async close() {
      dead.close();
      for (const { deliverer, dataDir } of opened) {
        await deliverer.close();
        rmSync(dataDir, { recursive: true, force: true });
      }
      healthy.close();
    },
  };
}

interface SubjectOf {
  readonly hook: string;
  readonly org: OrgId;
  /** The webhook that is told of the calls beside. */
  readonly other: string;
}
interface Told {
  readonly call: string;
  readonly org: OrgId;
  readonly hook: string;
}

const example = anEvent("call.completed", signalsOfCall(16));
function toMessage({ call, org, hook }: Told) {
  const terms = { ...example.terms, campaign_webhook_ids: [hook] };
  const about = { call_id: call as CallId, org_id: org, id: `${call}:call.completed` };
  return { key: call, value: JSON.stringify({ ...example, ...about, terms }) };
}

/** Answers at once, and tells who waits for a call that it has been told of it. */
async function openHealthy() {
  const waiting = new Map<string, () => void>();
  const server = createServer((request, response) => {
    request.resume();
    response.end("ok");
    const call = String(request.url).slice(1);
    waiting.get(call)?.();
    waiting.delete(call);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: (call: string) => new Promise<void>((resolve) => void waiting.set(call, resolve)),
    close: () => void server.close().closeAllConnections(),
  };
}

/** Takes connections and never says a word. */
async function openDead() {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => sockets.add(socket.on("error", () => undefined))).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
