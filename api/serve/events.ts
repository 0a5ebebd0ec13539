import type { Request, Response } from "express";
import { toErrorAnswer } from "./error-answers.ts";

/** Whether the client asks to be told how far its answer is. */
export const wantsEvents = (request: Request): boolean =>
  request.get("Accept")?.toLowerCase().includes("text/event-stream") === true;

/**
 * Does the work and tells of it by server-sent events: one for each step, `done` with the answer, or `error` with the
 * body that the error would have had. What fails before the first step is answered with its status, as anywhere.
 */
export async function answerByEvents(
  response: Response,
  work: (onProgress: (step: string) => void) => Promise<unknown>,
): Promise<void> {
  const tell = (event: string, data: unknown): void => {
    if (!response.headersSent) begin(response);
    // JSON has no line breaks of its own: one `data` line holds it all.
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  try {
    // The last step is told with the answer.
    const answer = await work((step) => step !== "done" && tell(step, {}));
    tell("done", answer);
  } catch (error) {
    if (!response.headersSent) throw error;
    const { status, body } = toErrorAnswer(error);
    if (status >= 500) response.err = error instanceof Error ? error : new Error(String(error));
    tell("error", { status, ...(body as object) });
  }
  response.end();
}

/** Proxies must not hold back what is told. */
function begin(response: Response): void {
  response.status(200).set({
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  });
}
