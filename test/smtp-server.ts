import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The whole message as it came. */
  readonly source: string;
}

/** What a recipient is answered in place of being accepted. */
type Refuse = (address: string) => { readonly code: number; readonly message: string } | null;

/** A mail server that keeps what it is sent. */
export async function openSmtpServer(refuse: Refuse = () => null) {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onRcptTo({ address }, _session, callback) {
      const refusal = refuse(address);
      callback(refusal === null ? null : Object.assign(new Error(refusal.message), { responseCode: refusal.code }));
    },
    onData(stream, session, callback) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? "" : mailFrom.address;
        received.push({ from, to: rcptTo.map(({ address }) => address), source: Buffer.concat(parts).toString() });
        callback();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

/** The text of a message's parts, with quoted-printable and base64 undone. */
export function readParts(source: string): string {
  const decode = (part: string): string => {
    const [head = "", ...rest] = part.split("\r\n\r\n");
    const body = rest.join("\r\n\r\n");
    if (/base64/i.test(head)) return Buffer.from(body, "base64").toString();
    if (!/quoted-printable/i.test(head)) return body;
    const bytes = body
      .replace(/=\r\n/g, "")
      .replace(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(bytes, "latin1").toString();
  };
  return source
    .split(/\r\n--[^\r\n]+/)
    .map(decode)
    .join("\n");
}
