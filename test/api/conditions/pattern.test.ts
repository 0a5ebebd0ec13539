import { expect, it } from "vitest";
import { toPattern } from "../../../api/conditions/pattern.ts";
import { withCpuTime } from "../../cpu-time.ts";

it.each(["((a?){30}){30}", "((a?){25}){39}", "((x{0,30}){30}){1}", "(?:(?:a{0,9}){0,9}){0,9}"])(
  "patterns such as %s are refused before their repeats are written out",
  async (nested) => {
    const { cpuMs, result } = await withCpuTime(() =>
      Array.from({ length: 100 }, (_, index) => toPattern(`${nested}${index}`)),
    );
    expect(new Set(result)).toEqual(new Set([null]));
    expect(cpuMs).toBeLessThan(500);
  },
);

it.each([
  "(?P<averylongname>a){300}",
  "(?i:ab){400}",
  "[abcdefghijklmnop]{900}",
  "[[:alpha:]]{500}",
  "[]a]{400}",
  "\\x{41}{300}",
  "\\p{Greek}{20}",
  "(a{2,3}b){100}",
  "^\\+1(212|646|917)\\d{7}$",
])("%s fits, for all its repeats", (source) => {
  expect(toPattern(source)).not.toBeNull();
});

it.each(["[", "[[:", "\\", "(?", "(?P<a", "\\p{", "{", "(", ")"])(
  "a pattern of %j alone is judged at once, too",
  async (part) => {
    const { cpuMs } = await withCpuTime(() => [
      toPattern(part.repeat(256).slice(0, 256)),
      toPattern(`[${part.repeat(255).slice(0, 255)}`),
      toPattern(`[${"\\\\".repeat(127)}`),
    ]);
    expect(cpuMs).toBeLessThan(300);
  },
);
