import { Router } from "express";

/** Named checks; each rejects if what it checks is not usable. */
export interface Health {
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /** Names of checks that are reported but do not make the process unavailable. */
  readonly informational?: readonly string[];
  /** Returns true once the process is shutting down: load balancers send no more requests. */
  stopping(): boolean;
  /** Time-out of one check. */
  readonly checkWithinMs?: number;
}

const defaultCheckWithinMs = 3000;

/** `/healthz`: the process answers. `/readyz`: it can do its work; 503 names what it lacks. */
export function healthRoutes({
  checks,
  informational = [],
  stopping,
  checkWithinMs = defaultCheckWithinMs,
}: Health): Router {
  const router = Router();
  router.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  router.get("/readyz", async (_request, response) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        const state = await within(checkWithinMs, check()).then(
          () => "ok",
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        );
        return [name, state] as const;
      }),
    );
    const ready = !stopping() && results.every(([name, state]) => state === "ok" || informational.includes(name));
    const status = stopping() ? "stopping" : ready ? "ready" : "unavailable";
    response.status(ready ? 200 : 503).json({ status, checks: Object.fromEntries(results) });
  });
  return router;
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
