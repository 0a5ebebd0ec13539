import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { roles } from "../api/settings/roles.ts";
import { describeSettings, readSettings } from "../api/settings/settings.ts";
import { spawnCommand } from "./api/commands/run-command.ts";
import { startProcess } from "./api/start-process.ts";
import { newClickhouseUrl } from "./clickhouse-server.ts";
import { createPrefix, testBrokers } from "./kafka-server.ts";
import { createClient } from "./platform.ts";
import { createDatabase, testDatabaseUrl } from "./postgres-server.ts";
import { password } from "./services/clickhouse-users.ts";
import { temporaryFolder } from "./temporary.ts";

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

const service = z.object({
  image: z.string(),
  environment: z.record(z.string(), z.string()).optional(),
  command: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
});
const { services } = z
  .object({ services: z.record(z.string(), service) })
  .parse(parse(read("compose.yaml"), { merge: true }));

/** What whoever starts it must set. */
const passwords = {
  POSTGRES_PASSWORD: password,
  CLICKHOUSE_PASSWORD: password,
  CLICKHOUSE_GUARD_PASSWORD: password,
  CLICKHOUSE_ASSISTANT_PASSWORD: password,
};

/** A value with `${NAME:-default}` and `${NAME:?why}` filled in, as Docker Compose does. */
const filled = (value: string, given: Readonly<Record<string, string>>): string =>
  value.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const found = given[name] || (kind === "-" ? rest : undefined);
    if (found === undefined) throw new Error(`${name}: ${rest}`);
    return found;
  });

/** A service's environment as its processes see it, what the image sets included. */
function environmentOf(name: string, given: Readonly<Record<string, string>> = passwords): Record<string, string> {
  const [, image = ""] = /^ENV (.*)$/m.exec(read("Dockerfile")) ?? [];
  const ofImage = image.split(" ").map((each) => each.split("=") as [string, string]);
  const own = Object.entries(services[name]?.environment ?? {});
  return {
    ...Object.fromEntries(ofImage),
    ...Object.fromEntries(own.map(([key, value]) => [key, filled(value, given)])),
  };
}

const processes = ["api", "lifecycle", "deliver", "load"] as const;

/** Settings that no process is given, and why. */
const leftOut: Readonly<Record<string, string>> = {
  HOST: "the image's own: all addresses of the container",
  PORT: "the image's own; PORT in .env is the proxy's, on this machine",
  DATA_DIR: "the image's own: the container's volume",
  ANALYTICS: "the composition has a ClickHouse",
  CLICKHOUSE_DATABASE: "stands in CLICKHOUSE_URL, and in the grants of its users",
  REDPANDA_TOPIC_PREFIX: "nobody else is on its broker",
  REDPANDA_REPLICATION: "it has one broker",
  REDPANDA_TLS: "its broker is reached in its own network alone",
  REDPANDA_TLS_CA: "likewise",
  REDPANDA_TLS_CERT: "likewise",
  REDPANDA_TLS_KEY: "likewise",
  REDPANDA_SASL: "likewise",
  REDPANDA_USERNAME: "likewise",
  REDPANDA_PASSWORD: "likewise",
  DEMO_SEED: "npm run demo alone reads it",
  DEMO_CALLS: "likewise",
  DEMO_LIVE: "likewise",
};

describe("compose.yaml", () => {
  it.each(processes)("gives %s every setting, or leaves it out for a reason that stands here", (name) => {
    const settings = describeSettings().map((each) => each.name);
    const given = Object.keys(services[name]?.environment ?? {});
    expect(given.filter((each) => !settings.includes(each))).toEqual([]);
    expect([...given, ...Object.keys(leftOut)].sort()).toEqual(settings.sort());
  });

  it("takes each of them from .env, but for what it makes itself", () => {
    const own = [
      "REDPANDA_BROKERS",
      "CLICKHOUSE_URL",
      "CLICKHOUSE_USERNAME",
      "CLICKHOUSE_GUARD_USERNAME",
      "DATABASE_URL",
    ];
    for (const [name, value] of Object.entries(services["api"]?.environment ?? {}))
      if (![...own, "ROLES"].includes(name))
        expect(filled(value, { ...passwords, [name]: "from .env" })).toBe("from .env");
  });

  it("is valid with the passwords alone, and without one of them says which", () => {
    const given = processes.map((name) => readSettings(environmentOf(name)));
    expect(given.flatMap(({ ROLES }) => ROLES)).toEqual(roles);
    expect(given[0]).toMatchObject({ HOST: "0.0.0.0", LOCAL_ISSUER: true, REDPANDA_PARTITIONS: 12, LOG_LEVEL: "info" });
    for (const name of ["POSTGRES_PASSWORD", "CLICKHOUSE_PASSWORD", "CLICKHOUSE_GUARD_PASSWORD"])
      expect(() => environmentOf("api", { ...passwords, [name]: "" })).toThrow(name);
  });

  it("has one port on this machine, which no number of processes can share but the proxy's", () => {
    const ports = Object.entries(services).flatMap(([name, each]) => (each.ports ?? []).map((port) => [name, port]));
    expect(ports).toEqual([["proxy", `127.0.0.1:$\{PORT:-3000}:3000`]]);
  });

  it("runs commands that there are", () => {
    const commands = Object.values(services).flatMap(({ command = [] }) => command);
    const files = [
      ...commands,
      ...(/^CMD (\[.*\])$/m
        .exec(read("Dockerfile"))
        ?.slice(1)
        .flatMap((text) => JSON.parse(text)) ?? []),
    ];
    const ours = files.filter((each) => /^(\.\/)?dist\//.test(each));
    expect(ours.length).toBeGreaterThan(2);
    const sourceOf = (each: string) => each.replace(/^(\.\/)?dist\//, "").replace(/\.js$/, ".ts");
    for (const each of ours) expect([each, existsSync(sourceOf(each))]).toEqual([each, true]);
  });
});

describe.skipIf(testDatabaseUrl === undefined || testBrokers === undefined)(
  "the processes of compose.yaml (TEST_DATABASE_URL, TEST_REDPANDA_BROKERS)",
  () => {
    it("are ready, two of the API too, and both take the key and the token that its commands make", async () => {
      const { url: DATABASE_URL, remove } = await createDatabase();
      onTestFinished(remove);
      const { prefix, remove: removeTopics } = createPrefix();
      onTestFinished(removeTopics);
      const { protocol, host, pathname } = new URL(await newClickhouseUrl());
      const addresses = {
        DATABASE_URL,
        REDPANDA_BROKERS: testBrokers ?? "",
        REDPANDA_TOPIC_PREFIX: prefix,
        // By the users and passwords that stand in compose.yaml.
        CLICKHOUSE_URL: `${protocol}//${host}${pathname}`,
      };
      const keys = join(temporaryFolder(), "keys");
      mkdirSync(keys);
      const settingsOf = (name: string) => {
        const DATA_DIR = temporaryFolder();
        if (services[name]?.volumes?.includes("keys:/data/keys")) symlinkSync(keys, join(DATA_DIR, "keys"));
        return { ...environmentOf(name), ...addresses, DATA_DIR };
      };
      const [, script = ""] = /api\/commands\/(\w+)\.js/.exec(services["migrate"]?.command?.join(" ") ?? "") ?? [];
      const waiting = services["migrate"]?.command?.slice(-2) ?? [];
      expect(await spawnCommand(script, { args: waiting, settings: settingsOf("migrate") })).toMatchObject({ code: 0 });

      const started = await Promise.all([...processes, "api"].map((name) => startProcess(settingsOf(name))));
      for (const { url } of started) await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);

      const run = async (...args: string[]) => {
        const { code, out, err } = await spawnCommand("keys", { args, settings: settingsOf("api") });
        expect([code, err]).toEqual([0, expect.any(String)]);
        return out;
      };
      const key = /tl_[\w-]+/.exec(await run("create", "--org", "Acme", "--new-org", "--admin"))?.[0] ?? "";
      const token = (await run("token", "--org", "Acme", "--user", "ann")).trim();
      for (const { url } of [started[0], started.at(-1)].flatMap((each) => each ?? [])) {
        const { get, ask } = createClient(url);
        await expect.poll(async () => (await get("/api/v1/targets", key)).status).toBe(200);
        expect((await ask("calls today", token)).status).toBe(200);
      }
      for (const { end } of started) expect(await end("SIGTERM")).toBe(0);
    });
  },
);
