import { connect, type Socket } from "node:net";

/** How one connection went. */
export interface Outcome {
  /** Status of each answer that was read to its end. */
  readonly statuses: number[];
  /** Answers that said `Connection: close`. */
  announced: number;
  /**
   * How it ended: by a close after an answer (`between`), after a request and before any byte of its answer
   * (`unanswered`), or inside an answer (`cut`); or by an error.
   */
  end: "between" | "unanswered" | "cut" | `error ${string}` | null;
}

/**
 * Sends the same request again and again on one connection, each as soon as the one before is answered, until the server
 * closes it. Resolves with how it went; `onAnswer` is told of each answer.
 */
export function sendForEver(url: string, request: string, onAnswer: () => void = () => undefined): Promise<Outcome> {
  const { hostname, port } = new URL(url);
  const outcome: Outcome = { statuses: [], announced: 0, end: null };
  return new Promise((resolve) => {
    const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let read = "";
    let isWaiting = false;
    const send = () => {
      isWaiting = true;
      socket.write(request);
    };
    const finish = (end: Outcome["end"]) => {
      outcome.end ??= end;
      socket.destroy();
      resolve(outcome);
    };
    socket.setEncoding("latin1");
    socket.on("connect", send);
    socket.on("data", (chunk) => {
      read += chunk;
      const answer = wholeAnswer(read);
      if (answer === null) return;
      read = read.slice(answer.length);
      isWaiting = false;
      outcome.statuses.push(answer.status);
      if (answer.closes) outcome.announced += 1;
      onAnswer();
      // Whoever is told so sends nothing more.
      if (!answer.closes) send();
    });
    socket.on("end", () => finish(read !== "" ? "cut" : isWaiting ? "unanswered" : "between"));
    socket.on("error", (error: NodeJS.ErrnoException) => finish(`error ${error.code ?? error.message}`));
  });
}

/** The first answer of what was read; null while it is not whole. */
function wholeAnswer(read: string): { status: number; length: number; closes: boolean } | null {
  const end = read.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const head = read.slice(0, end);
  const length = end + 4 + Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  if (read.length < length) return null;
  return { status: Number(head.split(" ")[1]), length, closes: /^connection: close$/im.test(head) };
}
