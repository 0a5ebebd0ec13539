import { type Item, meaningsOf } from "../link/item.ts";
import { isEnglish, partsOfSpeech } from "../words/english.ts";
import { shortForms } from "../words/tokenize.ts";

/** Nouns for what people prepare figures for: meetings, reports, deadlines. None of them names a kind of record. */
const occasions =
  "review meeting deck presentation standup sync offsite qbr retro memo recap pitch prep planning reconciliation recon audit briefing " +
  "debrief agenda workshop conference committee negotiation negotiations discussion talks report reports reporting sheet sheets slide slides accruals close " +
  "closing budget budgeting invoice invoices invoicing payroll newsletter spreadsheet statement statements books bookkeeping taxes paperwork " +
  "handover staffing training writeup one-pager check checkin check-in kickoff kick-off huddle catchup catch-up dashboard leaderboard study notes note " +
  "contract renewal sla doc docs question thought thing check heads-up update season request favor favour pack bill bills evidence proof benchmark records 1:1";
/** People who ask for figures or get them. */
const readers =
  "boss bosses manager managers chief ceo cfo coo cmo cto vp board investor investors accountant accountants bookkeeper controller auditor " +
  "auditors lawyer lawyers management leadership exec execs executive executives team teams colleague colleagues coworker coworkers dev devs client " +
  "clients rep guy guys people folks lead finance accounting legal billing ops operations marketing sales intern staff agent agents desk";

const copula = "am is are was were r isnt arent wasnt werent aint";
const auxiliaries = `${copula} been has have had do does did will would can could shall may might must dont doesnt didnt wont wouldnt cant couldnt hasnt havent hadnt`;
/** Verbs of saying, feeling, wishing and seeming, which tell nothing of calls. */
const feeling = new Set(
  (
    "ask say tell swear insist think believe suspect guess wonder expect feel seem look sound smell want need like love hate keep wait complain " +
    "worry promise claim mention message notice dispute contest argue question doubt blame hope wish thank beg nag remind"
  ).split(" "),
);

/** Adjectives and adverbs of opinion: "the calls are bad" restricts a question to no kind of call. */
export const opinions = new Set(
  (
    "happy glad pleased excited sorry weird odd strange fishy wrong right high low bad good great fine terrible awful nuts crazy insane mad angry " +
    "furious upset worried unhappy nervous confused stuck busy quiet slow fast dead down up out off broken late ready done better worse higher lower " +
    "slower faster longer shorter more less curious sure unsure wondering friendly kind nice lovely cool super wonderful rude annoyed pissed worth useless enough best worst well true"
  ).split(" "),
);

/**
 * Words that are of one class wherever they stand, a letter each: L leads on or softens, P stands for a person or a thing, D
 * determines, A is an auxiliary, S and C join clauses, W asks, R is "that", T is "to", I a preposition, V a verb, H a reader
 * and O an occasion.
 */
const classes: readonly (readonly [tag: string, words: string])[] = [
  [
    "L",
    "not ok okay so and but well hey oh just also honestly apparently actually anyway now fyi btw then plus double maybe though cause cuz cos",
  ],
  [
    "P",
    "i we you u ya he she it they there someone somebody everyone everybody nobody something everything nothing im ive id ill youre weve theyre theyve theres hes shes them me us him thats its lets",
  ],
  ["D", "a an the my our your his her their this these those some another no half whole both one"],
  ["A", auxiliaries],
  ["S", "because since as though although while before after until once till"],
  ["C", "if when unless where whenever whether"],
  ["W", "what which who whom whose how why whats whos hows"],
  ["R", "that"],
  ["T", "to"],
  ["I", "for from of in on at with about by out off up into over through against ahead"],
  ["V", "got had saw heard met"],
  ["H", readers],
  ["O", occasions],
];
const tagOfWord = new Map<string, string>();
for (const [tag, words] of classes)
  for (const word of words.split(" ")) if (!tagOfWord.has(word)) tagOfWord.set(word, tag);
export const copulas = new Set(copula.split(" "));

/** The classes of other words: Q is what a thing is like, J how, N a thing; of verbs see below. */
const tagOfSpeech: Readonly<Record<string, string>> = {
  ADJ: "Q",
  ADV: "J",
  INTJ: "L",
  AUX: "A",
  PRON: "P",
  DET: "D",
  ADP: "I",
};

/**
 * The class of each word of a clause: a closed one, else what part of speech it is there. Of verbs G is a gerund, F one of
 * feeling, E a past form and V any other; J is also an opinion.
 */
export function tagsIn(clause: string, items: readonly Item[]): (word: string) => string {
  const [spoken, things] = [partsOfSpeech(clause), thingsIn(items)];
  return (word) => {
    const { part, lemma } = spoken.get(word) ?? { part: "", lemma: word };
    const isPast = /[^e]ed$/.test(word) || (lemma !== word && !/s$/.test(word));
    const own = tagOfWord.get(word);
    if (own !== undefined) return own;
    if (/ing$/.test(word) && !noGerund.test(word)) return "G";
    if (feeling.has(lemma)) return "F";
    if (opinions.has(word)) return "J";
    // A word that is not in the dictionary may be a name.
    if (things.has(word) || !isEnglish(word)) return "N";
    if (part !== "VERB") return tagOfSpeech[part] ?? "N";
    return isPast ? "E" : "V";
  };
}

/** "Something", "meeting": no forms of verbs. */
const noGerund =
  /^(?:\p{L}{1,2}ing|.*thing|.*[mv]ening|morning|spring|string|bring|during|ring|meeting|billing|pricing|routing)$/u;

/** The words of figures, records and groups of the catalog: nouns in a remark, even where they could be verbs. */
const thingsIn = (items: readonly Item[]): ReadonlySet<string> =>
  new Set(
    items
      .filter((item) =>
        meaningsOf(item).some(
          ({ kind }) => /^(?:subject|measure|dimension)$/.test(kind) || (kind !== "role" && / /.test(item.said)),
        ),
      )
      .flatMap(({ said }) => said.toLowerCase().split(" ")),
  );

/** The words, "it's" and "I've" as two of them. */
const pronouns = "i|you|u|we|they|he|she|it|that|this|there|one|what|who|how|someone|everyone|everybody";
const contracted = new RegExp(`\\b(${pronouns})'(?:(m|re|s)|ve|d|ll)\\b`, "gu");
export const tokensOf = (said: string): readonly string[] =>
  (
    said
      .toLowerCase()
      .replaceAll("’", "'")
      .replace(contracted, (_, who: string, is?: string) => `${who} ${is === undefined ? "have" : "is"}`)
      .replace(/n't\b/gu, "nt")
      // "Tomorrow's standup" is one as "their standup" is.
      .replace(/\p{L}+(?:'s|s')(?= )/gu, "their")
      .match(/[\p{L}\p{N}][\p{L}\p{N}'&:-]*/gu) ?? []
  ).map((word) => shortForms.get(word) ?? word);
