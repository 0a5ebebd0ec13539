import express from "express";
import { describe, expect, it } from "vitest";
import { type Health, healthRoutes } from "../../../api/serve/health.ts";
import { openServer } from "./server.ts";

async function ask(path: string, health: Partial<Health>) {
  const url = await openServer(express().use(healthRoutes({ checks: {}, stopping: () => false, ...health })));
  const response = await fetch(url + path);
  return { status: response.status, body: await response.json() };
}
const well = async () => undefined;
const broken = async () => {
  throw new Error("disk full");
};

describe("health", () => {
  it("is that the process answers, whatever its parts do", async () => {
    expect(await ask("/healthz", { checks: { log: broken }, stopping: () => true })).toEqual({
      status: 200,
      body: { status: "ok" },
    });
  });
});

describe("readiness", () => {
  it("is that every check passes", async () => {
    expect(await ask("/readyz", { checks: { log: well, config: well } })).toEqual({
      status: 200,
      body: { status: "ready", checks: { log: "ok", config: "ok" } },
    });
  });

  it("names what is lacking", async () => {
    expect(await ask("/readyz", { checks: { log: broken, config: well } })).toEqual({
      status: 503,
      body: { status: "unavailable", checks: { log: "disk full", config: "ok" } },
    });
  });

  it("tells of what the process can do without, and is there all the same", async () => {
    expect(await ask("/readyz", { checks: { log: well, warehouse: broken }, informational: ["warehouse"] })).toEqual({
      status: 200,
      body: { status: "ready", checks: { log: "ok", warehouse: "disk full" } },
    });
  });

  it("ends when the process is stopping, though all is well", async () => {
    expect(await ask("/readyz", { checks: { log: well }, stopping: () => true })).toEqual({
      status: 503,
      body: { status: "stopping", checks: { log: "ok" } },
    });
  });

  it("does not wait for a check that hangs", async () => {
    const checks = { log: () => new Promise<void>(() => {}), config: well };
    expect(await ask("/readyz", { checks, checkWithinMs: 20 })).toEqual({
      status: 503,
      body: { status: "unavailable", checks: { log: "no answer within 0.02 s", config: "ok" } },
    });
  });
});
