import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { startPlatform } from "../../api/compose.ts";
import type { ConfigInput } from "../../api/config/registry.ts";
import { readSettings } from "../../api/settings/settings.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { createClient } from "../platform.ts";
import type { Bench } from "./bench.ts";

const many = 100_000;
const few = 500;
const documentsAtOnce = 2000;
const about = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };

/** What config costs as an organization grows, over HTTP on the embedded store. */
export async function openConfigBench(): Promise<Bench> {
  const dataDir = mkdtempSync(join(tmpdir(), "trunkline-bench-"));
  const settings = readSettings({ DATA_DIR: dataDir, PORT: "0", API_RATE_LIMIT_PER_MIN: "10000000" });
  const platform = await startPlatform(settings, { logger: pino({ level: "silent" }) });
  const client = createClient(await platform.listen());

  async function found(id: OrgId, targets: number): Promise<string> {
    await platform.config.saveOrganization({ id, name: id, timezone: "UTC" });
    const buyer = { type: "buyer", doc: { ...about, org_id: id, id: `${id}-buyer`, name: "Buyer" } } as const;
    await platform.config.save(id, [buyer]);
    for (let first = 0; first < targets; first += documentsAtOnce) {
      const count = Math.min(documentsAtOnce, targets - first);
      await platform.config.save(
        id,
        Array.from({ length: count }, (_, index) => aTarget(id, first + index)),
      );
    }
    await platform.config.save(id, [aPlan(id, 5), aPlan(id, 500)]);
    const { key } = await platform.apiKeys.issue(id, "bench");
    await platform.settled();
    return key;
  }
  const [large, small] = [await found("org_large" as OrgId, many), await found("org_small" as OrgId, few)];

  const list = (name: string, { key, query }: { key: string; query: string }) => ({
    name,
    unit: "page",
    units: 1,
    round: () => ok(client.get(`/api/v1/targets?limit=50&${query}`, key)),
  });
  let round = 0;
  const patch = (routes: number) => ({
    name: `plan of ${routes} routes`,
    unit: "PATCH",
    units: 1,
    async round() {
      const body = { description: `change ${++round}` };
      await ok(client.call("PATCH", `/api/v1/routing-plans/org_small-plan-${routes}`, { "X-API-Key": small }, body));
    },
  });
  return {
    comparisons: [
      {
        title: `A page of 50 targets, of ${few} and of ${many}`,
        baseline: list(`${few} targets, first page`, { key: small, query: "offset=0" }),
        subjects: ["desc", "asc"].flatMap((direction) =>
          Object.entries({ first: 0, middle: many / 2, last: many - 50 }).map(([page, offset]) =>
            list(`${many} targets, ${page} page ${direction}`, {
              key: large,
              query: `offset=${offset}&sort_direction=${direction}`,
            }),
          ),
        ),
      },
      { title: "A change of one field of a routing plan", baseline: patch(5), subjects: [patch(500)] },
    ],
    async close() {
      await platform.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function aTarget(org_id: OrgId, index: number): ConfigInput {
  const created_at = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
  const doc = { org_id, created_at, updated_at: created_at, id: `${org_id}-${index}`, name: `Target ${index}` };
  return { type: "target", doc: { ...doc, buyer_id: `${org_id}-buyer`, type: "number", number: "+18885550101" } };
}

function aPlan(org_id: OrgId, count: number): ConfigInput {
  const routes = Array.from({ length: count }, (_, index) => {
    return { id: `r${index}`, action: "route-to-target", target_id: `${org_id}-${index}`, priority: index };
  });
  return { type: "routing_plan", doc: { ...about, org_id, id: `${org_id}-plan-${count}`, name: "Plan", routes } };
}

async function ok(answer: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body).slice(0, 500)}`);
}
