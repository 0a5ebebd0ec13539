import type { StepRecord } from "../../../ingest/rtb.ts";

/** Of all steps of one record together: with the rest of it well under what any log takes as one message. */
const maxBytes = 384 * 1024;

/** The steps as a record keeps them: bodies beyond what one message can hold are left out, and the step says so. */
export function boundSteps(steps: readonly StepRecord[]): StepRecord[] {
  let left = maxBytes;
  return steps.map((step) => {
    const bytes = bytesOf(step);
    if (bytes <= left) {
      left -= bytes;
      return step;
    }
    const bare = { ...step, url: step.url.slice(0, 200), request_headers: {}, request_body: null, response_body: null };
    const cut = { ...bare, unresolved: bare.unresolved.slice(0, 5), truncated: true };
    left -= bytesOf(cut);
    return cut;
  });
}

const bytesOf = (step: StepRecord): number => Buffer.byteLength(JSON.stringify(step));
