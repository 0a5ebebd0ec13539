const spelled = new Map<string, number>([
  ..."zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((word, value): [string, number] => [word, value]),
  ..."twenty thirty forty fifty sixty seventy eighty ninety"
    .split(" ")
    .map((word, index): [string, number] => [word, (index + 2) * 10]),
  ["hundred", 100],
  ["couple", 2],
  ["dozen", 12],
]);

/** "12", "1,200", "1.5", "5k", "twelve". */
export function parseNumber(word: string): number | undefined {
  const digits = /^(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(k|m)?$/.exec(word);
  if (digits === null) return spelled.get(word);
  const scale = digits[3] === "k" ? 1000 : digits[3] === "m" ? 1_000_000 : 1;
  return Number(`${digits[1]?.replaceAll(",", "")}${digits[2] ?? ""}`) * scale;
}

/** "1st", "22nd". */
export function parseDayOfMonth(word: string | undefined): number | undefined {
  const digits = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word ?? "");
  const day = Number(digits?.[1]);
  return digits !== null && day >= 1 && day <= 31 ? day : undefined;
}
