import { LogError, type LogErrorCode } from "../../ingest/log/log.ts";
import { WarehouseError, type WarehouseErrorCode } from "../warehouse.ts";

/** One end of a channel between threads. */
export interface Port {
  postMessage(message: unknown): void;
  on(event: "message", listener: (message: Packet) => void): unknown;
}

/** Functions that one thread calls in the other, by name; arguments and results are copied. */
export type Methods<M = Record<string, unknown>> = {
  readonly [K in keyof M]: (given: never, signal: AbortSignal) => unknown;
};
type Given<M extends Methods<M>, K extends keyof M> = Parameters<M[K]>[0];
type Result<M extends Methods<M>, K extends keyof M> = Awaited<ReturnType<M[K]>>;

export type Packet =
  | { readonly kind: "call"; readonly id: number; readonly method: string; readonly given: unknown }
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "result"; readonly id: number; readonly result: unknown }
  | { readonly kind: "error"; readonly id: number; readonly error: PlainError };

interface Waiting {
  resolve(result: never): void;
  reject(error: unknown): void;
}

/** Answers the other thread's calls by `ours`, and calls its methods. A call that is cancelled aborts its method's signal. */
export function connect<Theirs extends Methods<Theirs>>(port: Port, ours: Methods) {
  const waiting = new Map<number, Waiting>();
  const running = new Map<number, AbortController>();
  let calls = 0;
  let failure: { readonly error: unknown } | undefined;

  async function answer({ id, method, given }: Extract<Packet, { kind: "call" }>): Promise<void> {
    const stopping = new AbortController();
    running.set(id, stopping);
    try {
      const result = await ours[method]?.(given as never, stopping.signal);
      port.postMessage({ kind: "result", id, result } satisfies Packet);
    } catch (error) {
      port.postMessage({ kind: "error", id, error: toPlainError(error) } satisfies Packet);
    } finally {
      running.delete(id);
    }
  }

  function settle(id: number, by: (call: Waiting) => void): void {
    const call = waiting.get(id);
    waiting.delete(id);
    if (call !== undefined) by(call);
  }

  port.on("message", (packet) => {
    switch (packet.kind) {
      case "call":
        return void answer(packet);
      case "cancel":
        return running.get(packet.id)?.abort();
      case "result":
        return settle(packet.id, ({ resolve }) => resolve(packet.result as never));
      default:
        return settle(packet.id, ({ reject }) => reject(fromPlainError(packet.error)));
    }
  });

  async function call<K extends keyof Theirs & string>(
    method: K,
    given: Given<Theirs, K>,
    signal?: AbortSignal,
  ): Promise<Result<Theirs, K>> {
    if (failure !== undefined) throw failure.error;
    const id = ++calls;
    const result = new Promise<Result<Theirs, K>>((resolve, reject) => waiting.set(id, { resolve, reject }));
    port.postMessage({ kind: "call", id, method, given } satisfies Packet);
    const cancel = () => port.postMessage({ kind: "cancel", id } satisfies Packet);
    if (signal?.aborted) cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    return result.finally(() => signal?.removeEventListener("abort", cancel));
  }

  return {
    call,
    /** Calls a method whose outcome nobody waits for. */
    tell<K extends keyof Theirs & string>(method: K, given: Given<Theirs, K>): void {
      call(method, given).catch(() => undefined);
    },
    /** Rejects all calls, those under way and later ones: the other thread has ended. */
    fail(error: unknown): void {
      failure ??= { error };
      for (const id of [...waiting.keys()]) settle(id, ({ reject }) => reject(error));
    },
  };
}

/** An error as it is copied between threads, which keep of an error's class and fields only the standard ones. */
export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly code?: string;
  readonly mentionsRowValues?: boolean;
  readonly cause?: PlainError;
}

export function toPlainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message, stack, cause } = error;
  return {
    name,
    message,
    stack,
    ...(cause instanceof Error && { cause: toPlainError(cause) }),
    ...((error instanceof WarehouseError || error instanceof LogError) && { code: error.code }),
    ...(error instanceof WarehouseError && { mentionsRowValues: error.mentionsRowValues }),
  };
}

export function fromPlainError(plain: PlainError): Error {
  const error = toError(plain, plain.cause && { cause: fromPlainError(plain.cause) });
  if (plain.stack !== undefined) error.stack = plain.stack;
  return error;
}

function toError({ name, code, message, mentionsRowValues = false }: PlainError, options: ErrorOptions = {}): Error {
  if (name === "WarehouseError")
    return new WarehouseError(code as WarehouseErrorCode, message, { ...options, mentionsRowValues });
  if (name === "LogError") return new LogError(code as LogErrorCode, message, options);
  const error = new Error(message, options);
  error.name = name;
  return error;
}
