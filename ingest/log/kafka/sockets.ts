import { connect, isIP, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import type { ISocketFactory } from "kafkajs";

const keepAliveMs = 60_000;

/**
 * Sockets as kafkajs makes them, but for one thing. It lets go of a broker's connections each time that it cannot reach
 * it, also of the one for fetches, which it does not try to open again until a broker is there: `unref` of a socket that
 * is gone waits for it to connect, so an outage would leave one more listener on it with each attempt.
 */
export const createSocket: ISocketFactory = ({ host, port, ssl, onConnect }) => {
  const socket: Socket = ssl
    ? connectSecurely({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}), ...ssl }, onConnect)
    : connect({ host, port }, onConnect);
  socket.setKeepAlive(true, keepAliveMs);
  const unref = socket.unref.bind(socket);
  socket.unref = () => (socket.destroyed ? socket : unref());
  return socket;
};
