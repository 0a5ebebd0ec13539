import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { availableParallelism, constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { createFairQueue } from "../../ingest/concurrency/fair-queue.ts";
import { memoryOfMachine } from "../../sql/duckdb.ts";
import { type QueryResult, WarehouseError, type WarehouseErrorCode } from "../warehouse.ts";
import type { GuardedQuery } from "./guarded.ts";
import type { SqlLimits } from "./run-duckdb.ts";
import type { Snapshot } from "./snapshot-duckdb.ts";
import type { SqlReply, SqlRequest } from "./sql-process.ts";
import { refuse } from "./tree.ts";

const gigabyte = 1024 ** 3;

export interface SqlProcessesOptions {
  takeSnapshot(): Promise<Snapshot>;
  readonly limits?: Partial<SqlLimits>;
  /** Parsing and planning: what people and models write takes a few milliseconds. */
  readonly planWithinMs?: number;
  /** Time between the request to stop and the kill. */
  readonly stopWithinMs?: number;
  /** Called for each process that had to be killed, with the reason. */
  onKill?(why: Kill): void;
}
export type Kill = "planned for too long" | "did not stop";

const most = Math.max(2, Math.min(4, availableParallelism()));
/** In all, and of one organization, which never has all of them. */
export const sqlProcessesAtOnce = [most, most - 1] as const;

const limitsByDefault: SqlLimits = {
  memoryBytes: Math.min(gigabyte, memoryOfMachine() / 4 / most),
  // Seen in `npm run test:attacks` on one machine: while texts spilled to disk, durable writes waited for seconds. Whether
  // the spilling alone was the cause was not measured.
  diskBytes: 0,
};
const planWithinMsByDefault = 2000;
const stopWithinMsByDefault = 300;
/** Time after which an idle process ends. */
const idleMs = 60_000;

const tooMuchMemory = "The query needs more memory than there is. Ask for a shorter period or fewer columns.";
const tooMuchPlanning = "The query takes too long to plan. Write it with fewer aliases, stars, levels or comments.";
const noProcess = () => new WarehouseError("unavailable", "The process for SQL of analysts does not start.");
const died = "The query cannot run as it is. Make it simpler.";

/**
 * Runs texts of analysts in processes of their own, a few at a time and fair between organizations. A text that does not
 * stop when it is to, that plans for too long or that takes too much memory ends with its process, and nothing else does.
 */
export function createSqlProcesses(options: SqlProcessesOptions) {
  const {
    takeSnapshot,
    planWithinMs = planWithinMsByDefault,
    stopWithinMs = stopWithinMsByDefault,
    onKill = () => undefined,
  } = options;
  const limits = { ...limitsByDefault, ...options.limits };
  const queue = createFairQueue({ limits: sqlProcessesAtOnce, fairBy: "time" });
  const idle = new Set<SqlProcess>();
  const all = new Set<SqlProcess>();
  let isClosed = false;
  let made = 0;

  function take(): SqlProcess {
    const [known] = idle;
    if (known !== undefined) {
      idle.delete(known);
      return known;
    }
    const started = startSqlProcess(() => {
      idle.delete(started);
      all.delete(started);
    });
    all.add(started);
    return started;
  }

  /** Copying a large file takes longer than anybody waits; what it comes to is for the next. */
  async function takeUntil(stop: AbortSignal): Promise<Snapshot> {
    const taking = takeSnapshot();
    return Promise.race([taking, aborted(stop)]).catch((error: unknown) => {
      void taking.then(
        (late) => late.release(),
        () => undefined,
      );
      throw error;
    });
  }

  async function run(query: GuardedQuery, stop: AbortSignal): Promise<QueryResult> {
    const snapshot = await takeUntil(stop);
    made += 1;
    const temporaryFolder = `${snapshot.path}.${made}.tmp`;
    let sql: SqlProcess | undefined;
    try {
      sql = take();
      const { orgId, text, maxRows, maxBytes } = query;
      const asked = { orgId, text, ...(maxRows && { maxRows }), ...(maxBytes && { maxBytes }) };
      const rows = { path: snapshot.path, temporaryFolder, limits };
      return await sql.run({ kind: "run", query: asked, rows }, { stop, planWithinMs, stopWithinMs, onKill });
    } finally {
      if (sql?.isAlive() === true && !isClosed) {
        idle.add(sql);
        sql.rest(idleMs);
      }
      await rm(temporaryFolder, { recursive: true, force: true });
      await snapshot.release();
    }
  }

  return {
    select: (query: GuardedQuery, stop: AbortSignal): Promise<QueryResult> =>
      queue.run([query.orgId], () => run(query, stop), { signal: stop }),
    close(): void {
      isClosed = true;
      for (const each of all) each.kill();
    },
  };
}

interface RunOptions {
  readonly stop: AbortSignal;
  readonly planWithinMs: number;
  readonly stopWithinMs: number;
  onKill(why: Kill): void;
}
type SqlProcess = ReturnType<typeof startSqlProcess>;

const script = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "sql-process.ts" : "sql-process.js", import.meta.url),
);

function startSqlProcess(onEnd: () => void) {
  const child = fork(script, {
    // Sources are compiled as they are loaded; nothing else of this process's options is for that one.
    execArgv: script.endsWith(".ts") ? ["--import", import.meta.resolve("tsx")] : [],
    serialization: "advanced",
    // The process gets none of the environment's secrets: only the folders of temporary files and programs.
    env: { NODE_ENV: "production", ...pick("TMPDIR", "PATH", "HOME") },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const ready = Promise.race([once(child, "message"), once(child, "exit").then(() => Promise.reject(noProcess()))]);
  // It starts at the priority of all others, so that a busy machine starts it at all; what it runs yields. Nobody may be
  // waiting for it yet.
  ready.then(
    () => yieldCores(child),
    () => undefined,
  );
  let isAlive = true;
  let resting: NodeJS.Timeout | undefined;
  const end = () => {
    isAlive = false;
    clearTimeout(resting);
    onEnd();
  };
  // One that could not be started, or whose channel is gone, tells of no exit.
  child.once("exit", end).on("error", () => {
    child.kill("SIGKILL");
    end();
  });
  const kill = () => void child.kill("SIGKILL");

  return {
    kill,
    isAlive: () => isAlive,
    /** Lets the process end when it has been idle for this long, and does not keep ours alive. */
    rest(ms: number): void {
      child.unref();
      child.channel?.unref();
      resting = setTimeout(kill, ms).unref();
    },
    async run(request: Extract<SqlRequest, { kind: "run" }>, options: RunOptions): Promise<QueryResult> {
      clearTimeout(resting);
      child.ref();
      child.channel?.ref();
      // One that is not ready in time is there for the next text; one that never is ends when it has been idle.
      await Promise.race([ready, aborted(options.stop)]);
      return converse(child, request, options);
    },
  };
}

/** Calls, pings and whatever else this process does goes first. */
function yieldCores({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The process has ended already.
  }
}

/** Asks for one text's rows, and kills the process when it does not keep to its time. */
function converse(
  child: ChildProcess,
  request: Extract<SqlRequest, { kind: "run" }>,
  { stop, planWithinMs, stopWithinMs, onKill }: RunOptions,
): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let failure: unknown;
    const killAfter = (ms: number, why: Kill, error: unknown) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        failure = error;
        child.kill("SIGKILL");
        onKill(why);
      }, ms);
    };
    const onStop = () => {
      child.send({ kind: "stop" } satisfies SqlRequest);
      killAfter(stopWithinMs, "did not stop", stop.reason);
    };
    const settle = (end: () => void) => {
      clearTimeout(timer);
      stop.removeEventListener("abort", onStop);
      child.off("message", onReply).off("exit", onExit);
      end();
    };
    const onExit = () => settle(() => reject(failure ?? (stop.aborted ? stop.reason : refuse(died))));
    const onReply = (said: SqlReply) => {
      switch (said.kind) {
        case "opened":
          return stop.aborted ? undefined : killAfter(planWithinMs, "planned for too long", refuse(tooMuchPlanning));
        case "planned":
          return stop.aborted ? undefined : clearTimeout(timer);
        case "too_much_memory":
          failure = refuse(tooMuchMemory);
          return undefined;
        case "rows":
          return settle(() => resolve(said.result));
        case "ready":
          return undefined;
        default:
          return settle(() => reject(stop.aborted ? stop.reason : toError(said)));
      }
    };
    child.on("message", onReply).once("exit", onExit);
    stop.addEventListener("abort", onStop, { once: true });
    child.send(request);
  });
}

function toError({ code, message, mentionsRowValues = false }: Extract<SqlReply, { kind: "failed" }>): Error {
  if (code === undefined) return new Error(message);
  return new WarehouseError(code as WarehouseErrorCode, message, { mentionsRowValues });
}

/** Rejects with the signal's reason when it aborts. */
const aborted = (stop: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (stop.aborted) reject(stop.reason);
    else stop.addEventListener("abort", () => reject(stop.reason), { once: true });
  });

const pick = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
