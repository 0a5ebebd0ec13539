import type { Word } from "./words/tokenize.ts";

interface Refusal {
  readonly words: readonly string[];
  readonly sentence: string;
}

const readsOnly = "I only read data; I cannot change anything. Use the API for that.";

/** What is refused whatever else the question says. Looked up among words that mean nothing else. */
const refusals: readonly Refusal[] = [
  {
    words: [
      "password",
      "secret",
      "token",
      "credential",
      "auth key",
      "api key",
      "apikey",
      "private key",
      "access key",
      "svc_auth_key",
      "auth_key",
      "env",
      "environment variable",
    ],
    sentence:
      "I only report on calls, webhooks and RTB requests; keys, passwords and other secrets are out of my reach.",
  },
  {
    words: [
      "other organization",
      "another organization",
      "all organization",
      "every organization",
      "other org",
      "all org",
      "another org",
      "other customer",
      "other company",
      "other tenant",
      "another company",
      "another customer",
      "another tenant",
      "all tenant",
      "competitor",
      "everyone elses",
      "other account",
      "another account",
      "all account",
      "org_id",
      "organization id",
      "tenant",
    ],
    sentence: "I can only see the data of your own organization.",
  },
  {
    words: [
      "delete",
      "drop",
      "remove",
      "update",
      "insert",
      "truncate",
      "alter",
      "create",
      "pause",
      "resume",
      "modify",
      "edit",
      "rename",
      "add",
      "cancel",
      "disable",
      "enable",
      "activate",
      "deactivate",
      "refund",
      "write",
      "erase",
      "wipe",
      "grant",
      "send an email",
      "email",
      "turn off",
      "turn on",
      "block",
      "change",
      "set",
    ],
    sentence: readsOnly,
  },
  {
    words: ["why", "explain why", "because"],
    sentence:
      "I can show what happened but not why. Ask for the figures side by side, such as a measure by campaign or by day.",
  },
  {
    words: [
      "forecast",
      "predict",
      "prediction",
      "will",
      "tomorrow",
      "next week",
      "next month",
      "next quarter",
      "next year",
      "expect",
      "projection",
      "projected",
    ],
    sentence: "I can only report on what has happened; I do not forecast.",
  },
];

/** Commands that are words of reports, too ("the change in revenue"): at the start of a question they are commands. */
const commands = /^(change|increase|decrease|raise|lower|drop|add|remove|reset|clear|set|switch|stop|start|kill)$/;
const things =
  /^(table|database|campaign|publisher|buyer|target|webhook|number|payout|price|cap|bid|user|account|key|data|row|record|everything|call|route|plan)$/;

/** SQL that is no question, wherever it stands. */
const statements =
  /\b(drop|truncate|alter|create) (table|database|schema|view)\b|\bdelete from\b|\binsert into\b|\bunion (all )?select\b/;

/** "Increase the payout of Solar East", "remove campaign X"; after an answer, "drop the buyer" is a change to that. */
function isCommand(words: readonly Word[], follows: boolean): boolean {
  const [first, ...rest] = words.filter(({ text }) => !/^(please|can|could|would|you|now|then|just)$/.test(text));
  if (first === undefined) return false;
  if (
    /^(send|email|mail|text|notify|message)$/.test(first.text) &&
    /^(me|us|him|her|them|an|a|it|this)$/.test(rest[0]?.text ?? "")
  )
    return true;
  if (/^(call|dial|phone|ring)$/.test(first.text) && /^(the|a|this|\+.*)$/.test(rest[0]?.text ?? "")) return true;
  if (!commands.test(first.text)) return false;
  const at = rest.findIndex(({ text }) => !/^(the|a|an|all|my|our|of|new)$/.test(text));
  const noun = rest[at];
  if (noun === undefined || !things.test(noun.stem) || (noun.stem === "number" && rest[at + 1]?.text === "of"))
    return false;
  const isOfAnswer = follows && shown.test(first.text) && figuresOrGroups.test(noun.stem);
  return !(isOfAnswer && rest.slice(at + 1).every(({ text }) => courtesies.test(text)));
}

const shown = /^(drop|add|remove)$/;
const figuresOrGroups = /^(campaign|publisher|buyer|target|webhook|number|payout|bid|user)$/;
const courtesies =
  /^(and|revenue|profit|margin|payout|calls|conversions|count|rate|too|also|please|now|column|columns|as|well|back|again|instead|,)$/;

interface Said {
  readonly words: readonly Word[];
  /** Whether it comes after an answer. */
  readonly follows: boolean;
}

/** The sentence with which the question is refused, if it must be. `isFree` tells the words that mean nothing else. */
export function refuse({ words, follows }: Said, isFree: (index: number) => boolean): string | undefined {
  if (isCommand(words, follows) || statements.test(words.map(({ text }) => text).join(" "))) return readsOnly;
  for (const { words: phrases, sentence } of refusals) {
    for (const phrase of phrases) {
      const parts = phrase.split(" ");
      const matches = (at: number) =>
        parts.every((part, step) => words[at + step]?.stem === part || words[at + step]?.text === part);
      const hit = words.some((_, at) => matches(at) && parts.some((_part, step) => isFree(at + step)));
      if (hit) return sentence;
    }
  }
  return undefined;
}
