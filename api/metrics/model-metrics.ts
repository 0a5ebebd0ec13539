import { fallbackReasons } from "../../assistant/answer.ts";
import { costOf, type ModelReport, type Prices } from "../../assistant/planning.ts";
import type { Instruments } from "./instruments.ts";

/** Seconds that a question waits for a model: its deadline is ten unless it is set. */
const modelBuckets = [0.25, 0.5, 1, 2, 3, 5, 7.5, 10, 20, 60];

const leftToRules: ReadonlySet<string> = new Set([...fallbackReasons, "resting"]);

/** Metrics of the language model that understands questions; without prices it has no cost. */
export function modelMetrics({ counter, seconds }: Instruments, prices: Prices | null) {
  const questions = counter(
    "assistant_model_questions_total",
    "Questions for the language model, by what it answered with or why it did not.",
    ["outcome"],
  );
  const fallbacks = counter("assistant_model_fallbacks_total", "Those that rules answered in its stead.", []);
  const requests = counter("assistant_model_requests_total", "Requests to its server, corrections included.", []);
  const repairs = counter("assistant_model_repairs_total", "Replies that were sent back with what was wrong.", []);
  const tokens = counter("assistant_model_tokens_total", "Tokens sent to it and written by it.", ["direction"]);
  const cost = counter("assistant_model_cost_dollars_total", "Their cost by the prices that are set.", []);
  const summaries = counter("assistant_model_summaries_total", "Summaries of answers that it was asked for.", [
    "outcome",
  ]);
  const waits = seconds("assistant_model_seconds", "How long questions waited for it, by outcome.", {
    labelNames: ["outcome"],
    buckets: modelBuckets,
  });
  return {
    modelAsked({ purpose, outcome, elapsedMs, usage, repairs: repaired }: ModelReport): void {
      (purpose === "question" ? questions : summaries).inc({ outcome });
      if (purpose === "question" && leftToRules.has(outcome)) fallbacks.inc();
      requests.inc(usage.requests);
      repairs.inc(repaired);
      tokens.inc({ direction: "input" }, usage.input_tokens);
      tokens.inc({ direction: "output" }, usage.output_tokens);
      if (prices !== null) cost.inc(costOf(usage, prices));
      if (purpose === "question" && usage.requests > 0) waits.observe({ outcome }, elapsedMs / 1000);
    },
  };
}
