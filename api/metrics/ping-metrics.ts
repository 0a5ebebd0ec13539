import { Gauge } from "prom-client";
import type { Instruments } from "./instruments.ts";

/** Pings of publishers and requests to buyers, and the exchange of counts between processes. */
export function pingMetrics(instruments: Instruments) {
  const { counter, seconds } = instruments;
  const pings = counter("pings_total", "Publishers' pings, by what they were answered.", ["outcome"]);
  const bids = counter("bid_requests_total", "Requests to buyers, by how they went.", ["result"]);
  const bidSeconds = seconds("bid_request_seconds", "How long buyers took.", {});

  return {
    pinged: (outcome: string): void => pings.inc({ outcome }),
    exchanged: trackExchange(instruments),
    bid(result: string, elapsedMs: number): void {
      bids.inc({ result });
      bidSeconds.observe(elapsedMs / 1000);
    },
  };
}

/** Computes the age of the last exchange whenever metrics are read; no sample before the first exchange. */
function trackExchange({ now, registry }: Instruments): () => void {
  let exchangedAt: number | null = null;
  new Gauge({
    name: "trunkline_peers_age_seconds",
    help: "Since this process last exchanged counts of pings with its peers; none where it shares with nobody.",
    registers: [registry],
    collect() {
      // Without labels it would stand at 0 from the start.
      this.remove();
      if (exchangedAt !== null) this.set(Math.max(0, now() - exchangedAt) / 1000);
    },
  });
  return () => {
    exchangedAt = now();
  };
}
