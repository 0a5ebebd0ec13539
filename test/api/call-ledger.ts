import { setTimeout as pause } from "node:timers/promises";
import { v7 as uuidv7 } from "uuid";
import { createClient, trackingNumber } from "../platform.ts";

const simulator = "/telephony/simulator/calls";
const againMs = 250;
const betweenCallsMs = 200;

/** What each of these calls comes to. */
export const eventsOfCall = [
  "call.incoming",
  "call.connected",
  "call.on_5_secs_mark",
  "call.on_15_secs_mark",
  "call.hangup",
  "call.converted",
  "call.completed",
] as const;

interface LedgerGiven {
  readonly key: string;
  /** At once; each places one call after the other. */
  readonly callers: number;
  /** The address that is asked next: another one each time. */
  address(): string;
}

/**
 * A switch that keeps its own books: it places calls, tells what becomes of them, and tells again what was not
 * acknowledged, by another address, as long as it takes.
 */
export function createCallLedger({ key, callers, address }: LedgerGiven) {
  const acknowledged: string[] = [];
  let [refused, unanswered] = [0, 0];
  const stopping = new AbortController();

  /** Until it is acknowledged: 409 tells of a report that it was taken the time before, though its answer was lost. */
  async function tell<T>(path: string, body: unknown, acknowledges: number): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await createClient(address()).post(path, key, body);
        if (answer.status === acknowledges || (answer.status === 409 && tries > 1)) return answer.body;
        if (answer.status !== 503)
          throw new Error(`${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
        refused += 1;
      } catch (error) {
        if (!isConnection(error)) throw error;
        unanswered += 1;
      }
      await pause(againMs);
    }
  }

  async function call(): Promise<void> {
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
    const arriving = { from: "+12125550123", to: trackingNumber, call_sid: uuidv7(), at: ago(22) };
    const { call_id: id } = await tell<{ call_id: string }>(simulator, arriving, 201);
    // Only now: it may have been dialed long after it came in.
    const [answered, ended] = [ago(20), ago(4)];
    await tell(`${simulator}/${id}/events`, { type: "answer", at: answered }, 200);
    await tell(`${simulator}/${id}/events`, { type: "hangup", by: "caller", at: ended }, 200);
    acknowledged.push(id);
  }

  async function callOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      await call();
      await pause(betweenCallsMs);
    }
  }
  const calling = Promise.all(Array.from({ length: callers }, callOn));
  calling.catch(() => undefined);

  return {
    /** Calls of which all was acknowledged. */
    acknowledged: (): readonly string[] => acknowledged,
    /** Requests that were refused with 503, and those that nobody answered. */
    failed: () => ({ refused, unanswered }),
    /** Ends the calls that are under way. */
    async stop(): Promise<void> {
      stopping.abort();
      await calling;
    },
  };
}

const connectionCodes = ["ECONNREFUSED", "ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "UND_ERR_HEADERS_TIMEOUT"];
const isConnection = (error: unknown): boolean =>
  error instanceof Error && "code" in error && connectionCodes.includes(String(error.code));
