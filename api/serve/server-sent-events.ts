import type { Request, Response } from "express";
import { toErrorAnswer } from "./error-answers.ts";

/** Returns true if the client accepts progress as server-sent events. */
export const wantsEvents = (request: Request): boolean =>
  request.get("Accept")?.toLowerCase().includes("text/event-stream") === true;

/**
 * Does the work and reports it by server-sent events: one for each step with what is known by then, then `done` with the answer or `error` with the
 * error's body. An error before the first step is answered with its status, as elsewhere.
 */
export async function answerByEvents(
  response: Response,
  work: (onProgress: (step: string, known?: object) => void) => Promise<unknown>,
): Promise<void> {
  const send = (event: string, data: unknown): void => {
    if (!response.headersSent) begin(response);
    // JSON has no raw line breaks, so that one `data` line holds it.
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  try {
    // The last step is sent with the answer.
    const answer = await work((step, known = {}) => step !== "done" && send(step, known));
    send("done", answer);
  } catch (error) {
    if (!response.headersSent) throw error;
    const { status, body } = toErrorAnswer(error);
    if (status >= 500) response.err = error instanceof Error ? error : new Error(String(error));
    send("error", { status, ...(body as object) });
  }
  response.end();
}

/** Sends the headers, with buffering by proxies turned off. */
function begin(response: Response): void {
  response.status(200).set({
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  });
}
