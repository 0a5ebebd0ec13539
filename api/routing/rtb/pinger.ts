import {
  createExchanger,
  type Fault,
  faultOf,
  type OutboundAnswer,
  type OutboundRequest,
} from "../../outbound/exchange.ts";

/** What came of one request to a buyer. */
export type PingAnswer =
  | ({ readonly kind: "answered" } & OutboundAnswer)
  | { readonly kind: "failed"; readonly fault: Fault };

/** Sends one request; whatever goes wrong is part of the result. Ends when `signal` aborts. */
export interface PingSender {
  send(request: OutboundRequest, signal: AbortSignal): Promise<PingAnswer>;
}

/** Bidders are many and quick: a call does not wait for another one's connection, short of a flood. */
const connections = 128;
/** A connection that a buyer's next call finds open spares it the handshake. */
const keepAliveMs = 30_000;

/** Asks buyers over connections that stay open. */
export function createPinger({ allowPrivateDestinations }: { readonly allowPrivateDestinations: boolean }) {
  const exchanger = createExchanger({ allowPrivateDestinations, connections, keepAliveMs, unpack: true });
  const send: PingSender["send"] = async (request, signal) => {
    try {
      return { kind: "answered", ...(await exchanger.exchange(request, signal)) };
    } catch (error) {
      const fault = faultOf(error);
      return { kind: "failed", fault: signal.aborted ? { kind: "timeout", message: fault.message } : fault };
    }
  };
  return { send, close: exchanger.close };
}
