import { behindWish } from "./courtesies.ts";
import { behindMessenger } from "./remarks.ts";

/** Where a sentence or a part of one ends; signs of a mood end one, too. */
const ends =
  /\s*(?:[:;]['’-]?[()DP](?=\s|$)|\p{Extended_Pictographic}\uFE0F?)+\s*|(?:\.{2,}|[?!:;…]+)(?:\s+|$)|\s[-–—]\s|(?<=[\p{L}\d]{2})\.\s+|\)?,\s+|\s*[()]\s*/giu;
/** Where one begins with no sign before it. */
const begins =
  /\s(?=(?:so (?:that )?(?:i|we|they|he|she|id|im|its|it['’]?s|could|can|please|pls|what|whats|which|how|who|tell|show|give)|so that|in order (?:to|that)|because|bc|cuz|cos|(?:since|as|cause|and|but|while|before|after) (?:i|we|im|id|the|my|our|he|she|they|theyre|it|its|that)|(?:can|could|would|will) (?:you|u|ya|i|we)|(?:please|pls|plz) (?:show|give|list|pull|send|tell|get|compare|split|break)|(?:what|how|who)['’]?s|what|which|how (?:many|much|long|often|fast)|(?:show|give|tell|get) me|gimme|list|pull|(?:i|we) need|(?:i|we)['’]?d like|need|who|whose|trying to|want to|wanna)\b)|(?<=^(?:for|to) .+)\s(?=(?:(?:i|we)(?:['’]d| would| will)?(?: also| just)? (?:need|want|like|have)|(?:can|could|would|will) (?:you|i|we)|please|pls|show|give|what|how)\b)|\s(?=(?:(?:need (?:it|this|that) )?for (?:the|my|our|an?|this)|(?:so as |in order )?to (?:show|present|prepare|explain|justify|send|forward|verify|check|reply|discuss|negotiate))\s[^,.;:?!]+[.!?\s]*$)/giu;
/** A part of what was typed, and where it ends. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

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
