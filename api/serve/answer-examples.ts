import { readFileSync } from "node:fs";

const file = new URL("./answer-examples.json", import.meta.url);
let examples: Readonly<Record<string, unknown>> | undefined;

/**
 * Returns the answer that an operation gave when `npm run examples` asked the demo; none for those that it could not ask.
 * Users' tokens are answered as keys are.
 */
export function answerExampleOf(name: string): unknown {
  examples ??= JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, unknown>>;
  return examples[name] ?? examples[name.replace(/ForUser$/, "")];
}
