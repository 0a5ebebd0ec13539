import type { Subject } from "../catalog/field.ts";
import { type Item, sentenceOf } from "./link/item.ts";

/** Several subjects fit, none is the usual one: which is meant? */
export function competitors(fitting: readonly Subject[], items: readonly Item[]) {
  const [first, second] = fitting;
  if (second === undefined || first === undefined || first.name === "calls") return undefined;
  const question = sentenceOf(items);
  return {
    sentence: `That can be asked of ${fitting.map(({ noun }) => noun.many).join(" and of ")}. Which do you mean?`,
    options: fitting.flatMap(({ noun }) => [
      placed(question, fitting, noun),
      `${stripped(question, fitting)} of ${noun.many}`.trim(),
    ]),
  };
}

/** "Ping volume" by the noun of one of them: "inbound RTB request volume". */
function placed(question: string, fitting: readonly Subject[], { one, many }: Subject["noun"]): string {
  const words = fitting
    .flatMap((subject) => subject.words.map((word) => `${word}s?`))
    .sort((a, b) => b.length - a.length);
  return question.replace(new RegExp(`\\b(?:${words.join("|")})\\b`, "i"), (said) => (said.endsWith("s") ? many : one));
}

const stripped = (question: string, fitting: readonly Subject[]): string =>
  fitting
    .flatMap(({ words }) => words)
    .reduce((text, word) => text.replace(new RegExp(`\\b${word}s?\\b`, "i"), "").replaceAll("  ", " "), question)
    .trim();
