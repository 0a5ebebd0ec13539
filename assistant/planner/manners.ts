const greeting =
  /^(?:good )?(?:morning|afternoon|evening|hi|hello|hey)(?: (?:there|all|team|everyone|everybody|folks|guys))?[!,.]+\s+(?=\S)/i;

/** "Morning! How many calls …": the morning is no part of a day there. */
export const withoutGreeting = (text: string): string => text.replace(greeting, "");

const thanks =
  /^(?:(?:ok|okay|great|perfect|nice|cool|got it|awesome)[\s,.!]*)*(?:thanks|thank you|thx|cheers|ty)(?: (?:so much|a lot|very much|you|all))?[\s.!]*$/i;

export const isThanks = (text: string): boolean => thanks.test(text.trim());

const pointing =
  /\b(?:the )?(?:first|second|third|fourth|fifth|last) (?:one|row|entry|bar)\b|\b(?:that|this) (?:one|row|entry|bar)\b/i;

/** "Drill into the first one": a row of the answer before, which a plan does not know. */
export const pointsAtRow = (text: string): boolean => pointing.test(text);
