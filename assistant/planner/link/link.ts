import { everydayWords, functionWords, stopWords } from "../words/small-words.ts";
import { keyOf, toWords, type Word } from "../words/tokenize.ts";
import { asMeanings, type Item, type Match, mayBe, meaningsOf } from "./item.ts";
import type { Meaning } from "./lexicon.ts";
import {
  matchDeed,
  matchDoer,
  matchLexicon,
  matchName,
  matchQualifier,
  matchScattered,
  matchTagged,
  matchTagKey,
} from "./match-phrase.ts";
import {
  matchCall,
  matchDays,
  matchMethod,
  matchNumber,
  matchPath,
  matchPercentile,
  matchPeriod,
  matchPhone,
  matchPlace,
  matchState,
} from "./match-shape.ts";
import type { Linking, Names } from "./name-index.ts";

/** The question as items: at every word the longest match that fits, of matches as long the one that comes first below. */
export function link(words: readonly Word[], linking: Linking): readonly Item[] {
  const items: Item[] = [];
  let at = 0;
  while (at < words.length) {
    const before = items.findLast(({ kind, said }) => kind !== "stop" || !/^(is|are|was|were|=|equals)$/i.test(said));
    const match =
      fittingAt(words, at, { ...linking, before }) ??
      siblingAt(words, at, items, linking.names) ??
      lastResort(words, at, linking.names);
    const to = at + match.length;
    const said = words.slice(at, to).map(({ original }) => original);
    items.push({ ...match.content, from: at, to, said: said.join(" ") });
    at = to;
  }
  return items;
}

/** "Keystone East vs West", "team A or B": a word in the place of the last one of the name before. */
function siblingAt(words: readonly Word[], at: number, items: readonly Item[], { whole }: Names): Match | undefined {
  const named = items.findLast((item) => meaningsOf(item).some(({ kind }) => kind === "value"));
  const isJoined = items.at(-2) === named && mayBe(items.at(-1), "role", "versus", "and", "or");
  const word = words[at];
  if (named === undefined || word === undefined || !isJoined || !/[ _]/.test(named.said)) return undefined;
  const found = meaningsOf(named).flatMap((each) => {
    if (each.kind !== "value") return [];
    const other = keyOf([...toWords(each.value).slice(0, -1), word]);
    const isOfKind = (meant: Meaning) =>
      meant.kind === "value" && meant.name === each.name && meant.subject === each.subject;
    return (whole.get(other) ?? []).filter(isOfKind);
  });
  return found.length === 0 ? undefined : asMeanings(found);
}

type Around = Linking & { readonly before: Item | undefined };

/** The longest match, or one that leaves its last words to the next where that knows what else would be left: "webhook | failure rate". */
function fittingAt(words: readonly Word[], at: number, around: Around): Match | undefined {
  const match = longestAt(words, at, around);
  const to = at + (match?.length ?? 0);
  const isLeft = to < words.length && longestAt(words, to, around) === undefined;
  if (match === undefined || !isLeft || lastResort(words, to, around.names).content.kind !== "unknown") return match;
  for (let end = to - 1; end > at; end--) {
    const shorter = longestAt(words.slice(0, end), at, around);
    const next = longestAt(words, end, around)?.length ?? 0;
    if (shorter?.length === end - at && end + next > to) return shorter;
  }
  return match;
}

function longestAt(words: readonly Word[], at: number, linking: Around): Match | undefined {
  const { lexicon, names } = linking;
  // "30 sec" is no part of a name that has the words.
  const measured = /^\d/.test(words[at]?.text ?? "") ? matchNumber(words, at) : undefined;
  if (measured?.content.kind === "number" && measured.length > 1) return measured;
  const matches = [
    matchPlace(words, at),
    matchDays(words, at),
    matchTagged(words, at, linking),
    matchQualifier(words, at, linking),
    matchTagKey(words, at, names),
    matchDoer(words, at),
    matchCall(words, at),
    matchLexicon(words, at, lexicon),
    matchState(words, at),
    matchMethod(words, at),
    matchDeed(words, at),
    matchName(words, at, names),
    matchScattered(words, at, linking),
    matchPeriod(words, at, linking),
    matchPercentile(words, at),
    matchPhone(words, at),
    matchPath(words, at),
    matchNumber(words, at),
  ].filter((match) => match !== undefined);
  const most = Math.max(...matches.map(({ length }) => length));
  const found = matches.find(({ length }) => length === most);
  const name = matchName(words, at, names);
  return found !== undefined && name?.length === most ? withNames(found, name) : found;
}

/** "tcpa_blocked" is of a closed list for calls, and a name that other records bear. */
function withNames(found: Match, name: Match): Match {
  const [own, names] = [found, name].map(({ content }) => (content.kind === "meanings" ? content.meanings : []));
  const subjects = own?.map((each) => (each.kind === "value" ? each.subject : undefined)) ?? [];
  if (own === undefined || own.length === 0 || subjects.includes(undefined)) return found;
  const others = names?.filter((each) => !("subject" in each) || !subjects.includes(each.subject)) ?? [];
  return asMeanings([...own, ...others], found.length);
}

/** One word of a longer name, a word without weight, or a word that we do not know. */
function lastResort(words: readonly Word[], at: number, { byWord, whole, namesWith }: Names): Match {
  const word = words[at];
  const isSmall = (text: string): boolean => stopWords.has(text) || functionWords.has(text);
  if (word === undefined || isSmall(word.text) || isSmall(word.original.toLowerCase()))
    return { length: 1, content: { kind: "stop" } };
  const begins = (name: string): boolean => toWords(name)[0]?.stem === word.stem;
  if (everydayWords.has(word.original) && !(namesWith.get(word.stem) ?? []).some(begins))
    return { length: 1, content: { kind: "unknown" } };
  // "Break google down by campaign": a tag's value that is no other word.
  const found = word.text.length >= 3 ? (byWord.get(word.stem) ?? whole.get(word.stem)) : undefined;
  return found === undefined ? { length: 1, content: { kind: "unknown" } } : asMeanings(found);
}
