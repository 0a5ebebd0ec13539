import { inSpan } from "../../ingest/tracing.ts";
import type { AppContext } from "../app-context.ts";
import type { ConfigDocument } from "../config/registry.ts";
import { startBackgroundTask } from "../process/background-task.ts";
import { watchEventLoopDelay } from "../process/event-loop-delay.ts";
import { exchangeSpan } from "../tracing/trace-exchanges.ts";
import { openLiveStats } from "./call-stats/live-stats.ts";
import { compileFilters } from "./filters.ts";
import { createInboundPings } from "./inbound/inbound-pings.ts";
import { compileRules } from "./payout.ts";
import { createPeerExchange } from "./peers/peers.ts";
import { createAsk } from "./quotes/ask-destination.ts";
import { createPingControls } from "./rtb/controls.ts";
import { compileCriteria } from "./rtb/criteria.ts";
import { createPing, createUncountedPing, tracePings } from "./rtb/ping.ts";
import { createPinger, type PingSender } from "./rtb/pinger.ts";
import { createTcpa } from "./tcpa.ts";

/** Opens what routes calls and answers pings, with the call stats that they need in memory. */
export async function openRouting(context: AppContext) {
  const { settings, clock, shutdown, metrics, logger, onTrouble, log, warehouse, database, snapshot, tracing } =
    context;
  const exchange = openPeerExchange(context);
  const peers = exchange?.peers ?? null;
  const { ALLOW_PRIVATE_DESTINATIONS: allowPrivateDestinations, NO_LOSS_PINGS: noLoss } = settings;
  const pinger = timedBids(shutdown.add("pinger", createPinger({ allowPrivateDestinations, clock })), context);
  const tcpa = shutdown.add("TCPA look-ups", createTcpa({ allowPrivateDestinations, clock }));
  const controls = createPingControls({ clock, peers });
  const ping = tracePings(createPing({ controls, sender: pinger, clock }), tracing);
  const { ask, quote } = createAsk({ ping, clock, tracing });
  const uncounted = createAsk({ ping: createUncountedPing({ controls, sender: pinger, clock }), clock });
  const stored = settings.ANALYTICS ? warehouse : null;
  const live = await openLiveStats({
    database,
    log,
    warehouse: stored,
    snapshot,
    clock,
    shutdown,
    onTrouble: onTrouble("routing"),
    onWarehouse: () => logger.info({ part: "routing" }, "the warehouse is there: caps and duplicates count all calls"),
  });
  const pings = shutdown.add(
    "pings",
    createInboundPings({
      database,
      peers,
      clock,
      quote,
      statsOf: live.statsOf,
      checkTcpa: tcpa.check,
      noLoss,
      configOf: snapshot.config,
      publish: log.publish,
      tracing,
      onTrouble: onTrouble("pings"),
      onAnswered: metrics.pinged,
    }),
  );
  shutdown.add("event loop delay", watchEventLoopDelay(pings.observeDelay));
  if (exchange !== null) await beginExchange(exchange, context);
  /** Frees memory of formulas and endpoints that are no longer in use; to be called every hour or so. */
  async function tidy(): Promise<void> {
    controls.forget();
    await pings.tidy();
  }
  /** The parts of routing that a dry run reads and that count nothing. */
  const dry = {
    controls,
    quote: uncounted.quote,
    checkTcpa: tcpa.check,
    checkCachedTcpa: tcpa.checkCached,
    peekAllocation: pings.peek,
    statsOf: live.statsOf,
  };
  return { pinger, checkTcpa: tcpa.check, ask, live, pings, dry, tidy };
}

type PeerExchange = ReturnType<typeof createPeerExchange>;

/** Null for a process that has a database of its own. */
function openPeerExchange({ settings, database, clock, metrics, onTrouble }: AppContext): PeerExchange | null {
  if (settings.DATABASE_URL === undefined) return null;
  return createPeerExchange({ database, clock, onTrouble: onTrouble("peers"), onExchanged: metrics.exchanged });
}

const exchangeEveryMs = 200;

/** Once all have joined that receive from peers. */
async function beginExchange(exchange: PeerExchange, { clock, shutdown, onTrouble }: AppContext): Promise<void> {
  shutdown.add("peers", exchange);
  await exchange.round();
  const rounds = startBackgroundTask({
    clock,
    everyMs: exchangeEveryMs,
    work: exchange.round,
    onTrouble: onTrouble("peers"),
  });
  shutdown.add("peer exchange", rounds);
}

function timedBids({ send }: PingSender, { metrics: { bid }, tracing }: Pick<AppContext, "metrics" | "tracing">) {
  const timed: PingSender["send"] = async (request, deadlineAt) => {
    const began = performance.now();
    const answer = await send(request, deadlineAt);
    bid(answer.kind === "answered" ? answer.kind : answer.fault.kind, performance.now() - began);
    return answer;
  };
  if (tracing === null) return { send: timed };
  const traced: PingSender["send"] = (request, deadlineAt) =>
    inSpan(tracing, exchangeSpan(request), async (span) => {
      const answer = await timed(request, deadlineAt);
      if (answer.kind === "answered") span?.set({ "http.response.status_code": answer.status });
      else span?.fail(answer.fault.kind);
      return answer;
    });
  return { send: traced };
}
export type Routing = Awaited<ReturnType<typeof openRouting>>;

/** Compiles the filters, criteria and rules of a document as it comes into memory, so that no call or ping waits for it. */
export function compileConditions({ type, doc }: ConfigDocument): void {
  if ((type === "target" || type === "rtb_formula") && doc.filters !== undefined) compileFilters(doc.filters);
  if (type === "rtb_formula") for (const step of doc.steps) compileCriteria(step.target_selection_criteria);
  if (type === "campaign") compileRules(doc.ivr_payout_rules);
}
