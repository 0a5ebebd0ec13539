import { Pool } from "undici";

/** Requests that this process makes, so many at once, with nothing around them. */
export interface Sending {
  readonly url: string;
  /** The `n`th one's address ends in `n`. */
  readonly count: number;
  readonly atOnce: number;
  readonly body: string;
}

async function send({ url, count, atOnce, body }: Sending): Promise<void> {
  const pool = new Pool(url, { connections: atOnce, pipelining: 1 });
  const headers = { "content-type": "application/json" };
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const answer = await pool.request({ path: `/${next++}`, method: "POST", headers, body });
      await answer.body.text();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await pool.close();
}

process.on("message", (sending: Sending) => {
  send(sending).then(
    () => process.send?.({ result: null }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on("disconnect", () => process.exit());
