import type { ServerResponse } from "node:http";
import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import { parseJson } from "../../ingest/parse.ts";
import { fold } from "./random.ts";

/** A simulated buyer, as the query of its bidding address configures it. */
export interface Bidder {
  readonly name: string;
  /** Dollars for a usual call. */
  readonly usual: number;
  /** Share of calls that it bids for. */
  readonly share: number;
  readonly answerMs: number;
}

const query = z.object({
  usual: z.coerce.number().min(0).max(1000),
  share: z.coerce.number().min(0).max(1),
  ms: z.coerce.number().min(0).max(2000),
});

/** Parses a bidding address; null for any other address. */
export function bidderOf(address: string): Bidder | null {
  const url = new URL(address, "http://receiver");
  const [, area, name] = url.pathname.split("/");
  const known = query.safeParse(Object.fromEntries(url.searchParams));
  if (area !== "bids" || !name || !known.success) return null;
  const { usual, share, ms } = known.data;
  return { name: decodeURIComponent(name), usual, share, answerMs: ms };
}

interface Answering {
  readonly response: ServerResponse;
  readonly clock: Clock;
  readonly closing: AbortSignal;
}

/** Answers as a buyer would: after its usual time, with a bid that follows from the caller, or with none. */
export async function bidAt(bidder: Bidder, body: string, { response, clock, closing }: Answering): Promise<void> {
  const bid = bidFor(bidder, body);
  await clock.sleep(bidder.answerMs, closing);
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(bid));
}

const asked = z.object({ caller: z.string() });

/** Dollars in quarters, between three and five quarters of the usual; the same caller is worth the same. */
export function bidFor({ name, usual, share }: Bidder, body: string): object {
  const json = parseJson(body);
  const question = asked.safeParse(json.ok ? json.value : undefined);
  const draw = (about: string): number =>
    (fold(`${name}/${question.success ? question.data.caller : body}/${about}`) >>> 0) / 2 ** 32;
  if (draw("wants") >= share) return { bid: 0, reason: "not interested" };
  const bid = Math.round(usual * (0.75 + draw("bid") / 2) * 4) / 4;
  return { bid, duration: 60, phone: `+1877555${String(Math.floor(draw("desk") * 100) + 100).padStart(4, "0")}` };
}
