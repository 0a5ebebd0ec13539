import { behindWish } from "./courtesies.ts";

/** "My manager wants", "one of our lenders would like to know", in front of what is asked: who asks is nothing to the answer. */
const behindMessenger =
  /(?<=(?:^|[,.!?;:–-] )(?:(?:my|the|our|an?|some|one|every)?\s?(?!(?:how|what|which|who|that|i|we|you|and|or)\b)[\p{L}'’-]+(?: (?!(?:how|what|which|who|that|and|or)\b)[\p{L}'’-]+){0,5}?)(?:, who [^,]+,)? (?:wants?|needs?|would (?:also |really )?(?:like|love)|(?:has |have |had |is |are |was |keeps? )?ask(?:s|ed|ing)?|wonders?)(?: me| us)?(?: for)?(?: to (?:see|know|have|hear|get|learn))?)\s(?!about\b)(?=\S)/giu;
/** Matches the signs at the end of a sentence or of a part of one, emoticons and emoji among them. */
const ends =
  /\s*(?:[:;]['’-]?[()DP](?=\s|$)|\p{Extended_Pictographic}\uFE0F?)+\s*|(?:\.{2,}|[?!:;…]+)(?:\s+|$)|\s[-–—]\s|(?<=[\p{L}\d]{2})\.\s+|\)?,\s+|\s*[()]\s*/giu;
/** Matches the space in front of the words with which a part begins where no sign parts it from the one before. */
const begins =
  /\s(?=(?:so (?:that )?(?:i|we|they|he|she|id|im|its|it['’]?s|could|can|please|pls|what|whats|which|how|who|tell|show|give)|so that|in order (?:to|that)|because|bc|cuz|cos|(?:since|as|cause|and|but|while|before|after) (?:i|we|im|id|the|my|our|he|she|they|theyre|it|its|that)|(?:can|could|would|will) (?:you|u|ya|i|we)|(?:please|pls|plz) (?:show|give|list|pull|send|tell|get|compare|split|break)|(?:what|how|who)['’]?s|what|which|how (?:many|much|long|often|fast)|(?:show|give|tell|get) me|gimme|list|pull|(?:i|we) need|(?:i|we)['’]?d like|need|who|whose|trying to|want to|wanna)\b)|(?<=^(?:for|to) .+)\s(?=(?:(?:i|we)(?:['’]d| would| will)?(?: also| just)? (?:need|want|like|have)|(?:can|could|would|will) (?:you|i|we)|please|pls|show|give|what|how)\b)|\s(?=(?:(?:need (?:it|this|that) )?for (?:the|my|our|an?|this)|(?:so as |in order )?to (?:show|present|prepare|explain|justify|send|forward|verify|check|reply|discuss|negotiate))\s[^,.;:?!]+[.!?\s]*$)/giu;
/** A sentence or a part of one: the places of its letters in the text, `to` exclusive. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/** Returns the sentences of a text and their parts, in order, without the signs and spaces between them. */
export function partsOf(text: string): readonly Part[] {
  const cuts = [ends, begins, behindWish, behindMessenger]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(({ index, 0: sign }) => ({ index, to: index + sign.length }))
    .sort((a, b) => a.index - b.index);
  const parts: Part[] = [];
  let from = 0;
  for (const { index, to } of cuts) {
    if (index > from) parts.push({ from, to: index });
    from = Math.max(from, to);
  }
  return from < text.length ? [...parts, { from, to: text.length }] : parts;
}
