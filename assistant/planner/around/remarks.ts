import { mayBe } from "../link/item.ts";
import { link } from "../link/link.ts";
import type { Linking } from "../link/name-index.ts";
import { isEnglish, partsOfSpeech } from "../words/english.ts";
import { toWords } from "../words/tokenize.ts";
import { withoutWish } from "./courtesies.ts";
import { copulas, opinions, tagsIn, tokensOf } from "./word-classes.ts";

/** A sentence, by the classes of its words. */
const clauses: readonly RegExp[] = [
  // "I promised them an answer", "they've been waiting", "this is simple".
  /^P(?:[^N]|N.)|^[DR][AFV]./u,
  // "The dashboard shows nothing", "our ad guys are on me", "Client is complaining", "half the floor was off".
  /^[^AFVWSCTPI][^AFVWSCPR]{0,6}[AFV]/u,
  // "Last time somebody got this wrong".
  /^[DNJQ]?OP./u,
  // "The dashboard crashed".
  /^(?:D[^AFVWEG]{1,4}|[NO])E/u,
  // "Smells like junk traffic", "need to kill some", "got a call", "hope it helps".
  /^F|^V[DPTIEJQ]|^A[DPT]/u,
  // "Curious whether", "not sure who", "pleased to be back".
  /^J*J[PTWCIS]|^[JQ]*Q[PTWCS]/u,
  // "Don't ask me why", "can't wait".
  /^A[FV]./u,
];

/** How a part of what was typed stands to the question. */
export interface Place {
  /** In front of the question. */
  readonly isBefore: boolean;
  /** It is a sentence of its own, by its signs. */
  readonly isApart: boolean;
}

/** "We're in Phoenix": whose hours are meant. */
const isFrom = /\b(?:[Ww]e|[Ii])(?:['’](?:re|m)| are| am) (?:in|on|from) \p{Lu}/u;

const deadline =
  /(?:[\s,]+(?:(?:in|within) (?:\d{1,2}|an?|half an|a few|two|five|ten|fifteen|twenty|thirty)(?: (?:secs?|seconds?|moments?|bit|mins?|minutes?|hours?|hrs?))?|by (?:eod|cob|noon|lunch|tonight|(?:the )?end of (?:the )?day)|asap|right now|at \d{1,2}(?::\d\d)?(?: ?[ap]m)?))$/iu;

/** Matches any of some alternatives as whole words. */
const anyOf = (alternatives: string): RegExp => new RegExp(`\\b(?:${alternatives})\\b`, "iu");

/** What says which records are meant, what a word stands for, or how the answer is to look, in whatever sentence it stands. */
const stipulations: readonly RegExp[] = [
  // Which records.
  anyOf(
    "only|except\\w*|exclud\\w*|excl|without|ignor\\w*|skip\\w*|includ\\w*|limit\\w*|restrict\\w*|filter\\w*|focus\\w*",
  ),
  anyOf(
    "besides|minus|apart from|aside from|above|below|at (?:least|most)|under|over (?=\\$?\\d)|between|among|whose|counting",
  ),
  anyOf(
    "namely|specifically|especially|(?:those|calls|leads|callers|customers|people|any(?:one|thing)|everything) (?:that|who|which|with|from|without)",
  ),
  /\b(?:leav|left?|drop|cut|keep|kept|throw|threw|tak)\w* (?:\p{L}+ ){0,3}?(?:out|off|away|aside)\b(?! of (?:a|my|the)\b)/iu,
  /^anything\b|\bones\b|\b\d+(?:\.\d+)?%|[<>=$"“]/iu,
  anyOf(
    "(?:top|best|worst|first|biggest|largest|last) (?:\\d+|two|three|four|five|six|seven|eight|nine|ten|few|ones?)",
  ),
  // Against what.
  anyOf("versus|vs|(?<!\\b(?:i|we)(?:['’](?:m|re)| am| are) )compar\\w+"),
  // Something else than was said.
  anyOf(
    "make (?:it|that)|scratch that|oops|let['’]?s say|instead|(?:do|does|did)n['’]?t (?:want|need|like)\\b(?! to\\b)",
  ),
  /^(?:no,? )?wait\b/iu,
  // Definitions: what a word stands for, when a day or a year begins.
  anyOf(
    "mean|means|meant|treat|consider\\w*|assum\\w+|defin\\w+|us(?:e|ing) the|call (?:it|them|these|those)|count(?:s|ed)?|track|refer\\w*",
  ),
  anyOf(
    "(?<!\\b(?:there|(?:whether|if) (?:we|i|they)) )should\\w*|fiscal|(?:day|week|month|quarter|year|shift)s? (?:starts?|begins?|ends?|runs?)",
  ),
  // Interests: what the person who asks looks after.
  anyOf("care[sd]?|interest\\w*|matters?|relevant|important|handles?|manages?|oversees?|covers?|responsible|in charge"),
  anyOf("(?:it|this|that|question)(?:['’]?s| is| was)? about"),
  /(?<!\b(?:if|whether|why|how|when) )\b(?:i|we)(?:['’]?(?:m|re|d|ve|ll))? (?:[a-z]+ly |just |really |also |still )?(?:(?:want|need)(?:ed)? (?!to\b|it\b|this\b|that\b|them\b|your\b|a (?:quick|break|favou?r|hand|sec|minute)\b)|said|say|talk)/iu,
  // How it is to look, and in which time.
  anyOf(
    "grouped|split|sort(?:ed)?(?! of)|rank(?:ed)?|round(?:ed)?|rows?|columns?|decimals?|ascending|descending|alphabetical\\w*",
  ),
  anyOf("time ?zones?|(?:pacific|eastern|central|mountain|local) time|utc|gmt"),
  /\b(?:hour|dai|week|month|quarter|year)ly$|\b(\p{L}{3,}) by \1\b/iu,
];

const thinks = /^(?:i|we) (?:also |still |really )?(?:wonder|suspect|believe|think|guess|fear|doubt|feel)\b/iu;

/** "To see premium vendors", "looking at mobile users": what the answer is to show. */
const shows =
  /\b(?:see|know|understand|check|find|show|look(?:ing)? (?:at|into|for)|checking (?:on )?|analy[sz]e|review|consider|(?:ask(?:s|ed|ing)?|curious|wonder\w*|know) about)\s+(?:all |more |on )?(\p{L}[\p{L}'’-]*)/giu;
const shown = new Set(
  "progress impact problem problems issue issues trouble results trends growth everything anything something everyone someone somebody anybody nobody nothing things stuff home work business numbers figures data answers proof evidence info".split(
    " ",
  ),
);

/** "He needs October": what somebody wishes for beside figures. */
const wishedFor =
  /(?<!\b(?:smell|look|feel|sound|seem)(?:s|ed)? )\b(?:wants?|needs?|likes?|loves?|prefers?)\s+(\p{L}[\p{L}'’-]*)/giu;

/** Who or what is called: what is said of them may say which calls are meant. */
export const called =
  /^(?:they|those|these|ones|them|callers?|customers?|leads|users?|members?|vendors?|calls?|consumers?|households?|people|traffic|partners?|accounts?)$/u;

/** What a part of what was typed is by its words: what figures are for, a sentence of its own, or a heading; undefined where it may be a condition. */
export type Remark = "purpose" | "sentence";

const endings = /[\s.!?…,;:–-]+$/u;

export function remarkIn(part: string, { isBefore, isApart }: Place, linking: Linking): Remark | undefined {
  const typed = part.trim().replace(endings, "");
  const bare = plainly(typed.replace(deadline, ""));
  // "I wonder if people who call twice buy more" limits nothing.
  const told = thinks.test(bare) ? bare.replace(/\b(people|callers) who\b/giu, "$1") : bare;
  const wish = withoutWish(told);
  if (stipulations.some((stipulates) => stipulates.test(wish)) || isFrom.test(bare)) return undefined;
  const items = link(toWords(bare), linking);
  const tagOf = tagsIn(bare, items);
  const isLinked = (word: string) =>
    items.some(({ kind, said }) => kind !== "unknown" && `-${toHyphened(said)}-`.includes(`-${word.toLowerCase()}-`));
  const known = (word: string) => tagOf(word) !== "N" || isLinked(word);
  const isMeant = ([, word = ""]: RegExpMatchArray) =>
    /[NQ]/.test(tagOf(word.toLowerCase())) && !shown.has(word.toLowerCase());
  if ([...bare.matchAll(shows)].some((found) => isMeant(found) && !isLinked(found[1] ?? ""))) return undefined;
  if ([...bare.replace(/\b(?:if|whether)\b.*/iu, "").matchAll(wishedFor)].some(isMeant)) return undefined;
  // "Northshore Leads" is one name and no leads.
  const named = items
    .filter((item) => mayBe(item, "value"))
    .reduce((text, { said }) => text.replace(said, said.replaceAll(" ", "-")), bare);
  // "Our auditor would like": the wish is what is said of the auditor.
  const isMessenger = /^[DHN][DHNOQI]*$/.test(tokensOf(withoutWish(named)).map(tagOf).join(""));
  const tokens = tokensOf(isMessenger ? named : withoutWish(named));
  const tags = tokens.map(tagOf).join("");
  const lead = /^L*/u.exec(tags)?.[0].length ?? 0;
  // "Zorblatt check": a word that is not in the dictionary may be a name.
  const mayBeName = (word: string) => tagOf(word) === "N" && !known(word) && !isEnglish(word);
  const isTask = tags.startsWith("T", lead);
  if (!(isTask && tokens.some(mayBeName)) && isPurpose(tokens.slice(lead), tags.slice(lead), bare)) return "purpose";
  if (
    !/^F[LJQFI]/u.test(tags) &&
    tokens.some((word, at) => called.test(word) && tags[at - 1] === "N" && !known(tokens[at - 1] ?? ""))
  )
    return undefined;
  // "I'd zorblatt like": no word of English where the verb should stand, so nobody knows what is said.
  const isStrange = (word: string, at: number) =>
    /[NVF]/u.test(tags[lead + 1 + at] ?? "") && /^\p{L}{6,}$/u.test(word) && !isLinked(word) && !isEnglish(word);
  if (tags.startsWith("P", lead) && tokens.slice(lead + 1, lead + 3).some(isStrange)) return undefined;
  const hasFigure = items.some((item) => mayBe(item, "subject") || mayBe(item, "statistic"));
  // "On the phone with Acme in 5 min".
  if (isBefore && typed !== bare && tokens.length < (hasFigure ? 5 : 9)) return "sentence";
  if (
    !hasFigure &&
    !tokensOf(bare).some(mayBeName) &&
    isHeading(tokensOf(bare).map(tagOf).join(""), isBefore) &&
    !tokens.some((word) => called.test(word))
  )
    return "purpose";
  return isSentence(tokens.slice(lead), tags.slice(lead), { isBefore, isApart }) ? "sentence" : undefined;
}

const toHyphened = (said: string): string => said.toLowerCase().replaceAll(" ", "-");

/** Turns of phrase that lead in a reason, a purpose or a role, and what says the same. */
const leadIns: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:(?:given|seeing|considering|knowing|granted|now|(?:(?:due|owing) to|in (?:view|light) of) the fact) that|(?:mainly|partly|simply|just|especially|particularly|not least|even) (?=(?:because|since|as|though)\b))\s*/iu,
    "because ",
  ],
  [/^(?:even (?=though)|for (?=(?:i|we|it|there)\b)|(?:all of )?which (?:is|are) (?=because\b))/iu, "because "],
  [/^which (?=(?:i|we) (?:have|need|want|must|am|are|would|will|can)\b)/iu, "because "],
  [/^(?:in order|so as) (?=to\b)/iu, ""],
  [/^in order (?=that\b)/iu, "so "],
  [/^in (?:preparation|readiness|advance|anticipation) (?:for|of)\b/iu, "for"],
  [/^in (?:my|our) (?:role|capacity|position|function|job) as\b/iu, "as a"],
];
const plainly = (said: string): string => leadIns.reduce((text, [from, to]) => text.replace(from, to), said);

/** "For the weekly ops review", "ahead of the board meeting", "to verify their statement"; that of a customer may be a condition. */
function isPurpose(words: readonly string[], tags: string, said: string): boolean {
  if (/\s\p{Lu}\p{Ll}|\d/u.test(said)) return false;
  if (
    /^(?:[PAFV]{0,3}P?)?I{1,2}(?:D\p{L}*[OH](?:I\p{L}*)?|O{1,2})$|^[FVP]{1,2}I\p{L}{0,4}O$/u.test(tags) &&
    /\b(?:for|ahead of|before|on)\b/.test(words.slice(0, 5).join(" "))
  )
    return true;
  // "So that I can forward them", "so we know whom to call".
  if (/^so (?:that )?\p{L}+ \p{L}/iu.test(said) && /^R?P(?:A|[VF].)/u.test(tags))
    return /^so that/iu.test(said) || tags[1] === "A";
  // "To plan shifts": a noun elsewhere, and a verb there.
  return (/^T[JQ]*[VFA]/u.test(tags) || (/^TN/u.test(tags) && isVerb(words[1] ?? ""))) && words.length > 2;
}

/** Tells if a word can be what somebody does. */
const isVerb = (word: string): boolean => partsOfSpeech(`they ${word} it`).get(word)?.part === "VERB";

/** "Cohort check", "QBR prep meeting", "short ones again". */
function isHeading(tags: string, isBefore: boolean): boolean {
  return isBefore ? /^[DJQNOHGLV]{0,4}O[LJ]*$/u.test(tags) : /^[NOGV]{1,4}O$/u.test(tags);
}

function isSentence(words: readonly string[], tags: string, { isBefore, isApart }: Place): boolean {
  const first = words[0] ?? "";
  if (
    tags.startsWith("W") ||
    asksFor.test(first) ||
    /^(?:can|could|would|will|may|did|does|do|is|are|was|were)$/u.test(first)
  )
    return false;
  if (courteous.test(first) && words.length > 2) return true;
  if (words.some((_, at) => isDefinition(words, tags, at))) return false;
  if (/^they$/u.test(first) && !/^P[^NVE]/u.test(tags)) return false;
  // "As the owner of this agency".
  if (first === "as" && isBefore && /^S(?:D|P|Q?[NHO])/u.test(tags)) return !words.some((word) => called.test(word));
  if (/^[SC]/u.test(tags)) return isClause(words, tags);
  if (tags.startsWith("G"))
    return isBefore || isApart
      ? /^G(?:[DPTIWJQSCV]|\p{L}{0,4}O$|\p{L}{0,2}O[IT])/u.test(tags)
      : /^G(?:[TDWP].|ID\p{L}*[OH]$)/u.test(tags);
  if (tags.startsWith("I")) return isBefore && /^ID\p{L}*G/u.test(tags);
  const isNamed = /^[NGE]/u.test(tags);
  if (isNamed && !isBefore && !isApart && !/^N{1,2}[AF][G-]?/u.test(tags)) return false;
  return clauses.some((clause) => clause.test(tags));
}

/** "Because the boss asked", "before I call him"; "when the lines were open" and "since we launched" may be conditions. */
function isClause(words: readonly string[], tags: string): boolean {
  const [joint = "", subject = ""] = words;
  const isMine = /^(?:i|you|my|it|that|this|im|youre|its)$/u.test(subject);
  if (tags.startsWith("C")) return (isMine || subject === "we") && words.length > 2;
  if (/^(?:before|after|until|till|once|while)$/u.test(joint))
    return (isMine && words.length > 2) || /^SD\p{L}*O$/u.test(tags);
  if (joint === "since" && /^S[PD]N{0,2}E|^SP[AV]?(?:V|E)$/u.test(tags)) return false;
  // "Since people shop for it": behind those who do it, as behind "they", stands what they do.
  const isDone = (word: string, at: number) =>
    at > 1 &&
    /^people$|[^s]s$/u.test(words[at - 1] ?? "") &&
    /^[NQH]$/u.test(tags[at] ?? "") &&
    !/s$/u.test(word) &&
    isVerb(word);
  if (words.some(isDone)) return true;
  if (joint === "since" && !/[AFVE]/u.test(tags)) return false;
  return /^S[QJ]*I?[DPNHO]\p{L}*[AFVOE]|^SP.|^S[GFE]/u.test(tags) || words[1] === "of";
}

/** Verbs of what somebody only thinks. */
const thought = /^(?:think|believe|feel|fear|suspect|complain|guess|thought|felt)/u;
/** "Give me calls": verbs that ask for figures. */
const asksFor = /^(?:give|show|list|pull|send|tell|get|put|make|take|bring|find|see|count)$/u;
const courteous = /^(?:thank|thanks|thx|sorry|hope|hoping|happy|glad|congrats)$/u;
/** Adverbs between a verb and its complement: "are not really bad". */
const between =
  /^(?:not|so|very|really|too|all|just|still|now|again|never|always|already|even|super|pretty|kinda|being|getting)$/u;

/**
 * "A sale is a call of two minutes", "our region is the west", "they had insurance": what is said of calls and callers tells which
 * of them are meant, or what a word means. What somebody feels, and what is going on, tells neither.
 */
function isDefinition(words: readonly string[], tags: string, at: number): boolean {
  const [subject = "", verb = ""] = [words[at - 1], words[at]];
  const isOfThem = subject === "they" ? /^L*P$|C.$/u.test(tags.slice(0, at)) : called.test(subject);
  // "Calls sent to bidders" are some calls.
  const isTold = at === words.length - 1 && /F\p{L}*D[QN]*$/u.test(tags.slice(0, at));
  // "My boss thinks weekends are a waste": no more than what somebody thinks.
  if (/F$/u.test(tags.slice(0, at - 1)) && thought.test(words[at - 2] ?? "")) return false;
  if (at > 0 && isOfThem && subject !== "they" && tags[at] === "E" && !isTold) return true;
  if (at === 0 || !(copulas.has(verb) || (isOfThem && /^(?:have|has|had)$/u.test(verb)))) return false;
  const next = words.findIndex((word, index) => index > at && !between.test(word));
  const isOpinion =
    (next < 0 && !isOfThem) ||
    opinions.has(words[next] ?? "") ||
    /[GTISEAVF]/u.test(tags[next] ?? "") ||
    (/[JQ]/.test(tags[next] ?? "") && !isOfThem);
  return !isOpinion && (isOfThem || (!/[PHL]/u.test(tags[at - 1] ?? "") && !/^th(?:is|at)$/u.test(subject)));
}

/** Tells if an unknown word of a clause is no noun there, so that it names neither a thing nor a person. */
export function isEveryday(word: string, clause: string): boolean {
  const tagOf = tagsIn(clause, []);
  return tokensOf(word).every((token) => tagOf(token) !== "N" || shown.has(token));
}
/** "From mobile", where "for nothing" is none. */
export const isOrigin = (word: string, clause: string): boolean =>
  /[NQ]/.test(tagsIn(clause, [])(word.toLowerCase())) &&
  /\b(?:from|for|with|on|via|by|through) $/iu.test(clause.slice(0, clause.toLowerCase().indexOf(word.toLowerCase())));

/** Tells if somebody says something of the world there, and asks for nothing: "Keystone only wants evening calls", "as Acme is new to us". */
export function isStatement(said: string, linking: Linking): boolean {
  const bare = withoutWish(said.trim());
  const tags = tokensOf(bare)
    .map(tagsIn(bare, link(toWords(bare), linking)))
    .join("");
  const isWish = /^(?:i|we)\b/iu.test(bare) && stipulations.some((stipulates) => stipulates.test(bare));
  if (tags.startsWith("S")) return /^S[^W]*[AFVE][^W]*$/u.test(tags) && !/^as (?:far|long|soon|well)\b/iu.test(bare);
  return !isWish && !asksFor.test(tokensOf(bare)[0] ?? "") && clauses.some((clause) => clause.test(tags));
}

/** "Why are we not filling their pings", "did we do better than last month". */
export const isQuestion = (said: string): boolean =>
  /^(?:(?:so|and|but|ok|okay|hey|hi),? |(?:show|tell) (?:me|us) (?=how\b))*(?:why|(?:what|which|who|when|where)(?! (?:i|we|they)\b)|whose|how|do|does|did|is|are|was|were|has|have|any(?:thing|one|body))\b/iu.test(
    said.trim(),
  );
