import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { catalogLexicon } from "../../../assistant/planner/link/lexicon.ts";
import { createNameIndex, createNames } from "../../../assistant/planner/link/name-index.ts";
import { planQuestion } from "../../../assistant/planner/offline.ts";
import { createWordIndex, distance } from "../../../assistant/planner/words/nearby.ts";
import { withCpuTime } from "../../cpu-time.ts";
import { now, zone } from "../example-data.ts";

const lexicon = catalogLexicon();

/** Words without a meaning, the same in every run. */
function wordsOf(count: number, length: number, seed: number): string[] {
  let state = seed;
  const letter = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return String.fromCharCode(97 + (Math.floor(state / 65_536) % 26));
  };
  return Array.from({ length: count }, () => Array.from({ length }, letter).join(""));
}
const firstWords = wordsOf(10_000, 8, 1);
const secondWords = wordsOf(10_000, 7, 2);
const tenThousand = firstWords.map((first, index) => ({
  field: ["publisher", "target", "campaign"][index % 3] ?? "",
  value: `${first} ${secondWords[index]}`,
}));

describe("a question of unknown words against ten thousand names", () => {
  const names = createNames(tenThousand, lexicon);
  const plan = (text: string) => planQuestion({ text }, { lexicon, names, now, zone });

  it.each([5, 58])("is handed back at once: %i words", async (count) => {
    const text = `revenue ${wordsOf(count, 9, 3).join(" ")}`;
    plan(text);
    const { cpuMs, result } = await withCpuTime(() => plan(text));
    expect(result.kind).toBe("refused");
    // 40 ms on a slow machine; a search of every name for every word took 90 ms a word.
    expect(cpuMs).toBeLessThan(200);
  });
  it("names the first of them and how many more there are", () => {
    const said = wordsOf(8, 9, 3);
    expect(plan(`revenue ${said.join(" ")}`)).toMatchObject({
      sentence: expect.stringContaining(
        `do not know “${said[0]}”, “${said[1]}”, “${said[2]}”, “${said[3]}”, “${said[4]}” and 3 more words`,
      ),
    });
  });
  it("still corrects a typo in a name", () => {
    const [name = ""] = tenThousand.map(({ value }) => value);
    expect(plan(`revenue for ${name.slice(0, 4)}${name.slice(5)}`)).toMatchObject({
      kind: "plan",
      plan: { filters: [{ field: "publisher", values: [name] }] },
    });
  });
});

describe("a question of too many words", () => {
  const names = createNames([], lexicon);
  it.each([
    ["words", "revenue ".repeat(61)],
    ["letters", `revenue by ${"x".repeat(1000)}`],
  ])("is handed back with a plain sentence: %s", (_, text) => {
    expect(planQuestion({ text }, { lexicon, names, now, zone })).toEqual({
      kind: "refused",
      sentence: "That question is too long; 60 words is the most I read.",
    });
  });
});

describe("the name index", () => {
  it("learns only what is new", async () => {
    const index = createNameIndex(lexicon);
    const first = await withCpuTime(() => index.learn(tenThousand));
    const andAnother = [...tenThousand, { field: "buyer", value: "Newcomer Inc" }] as const;
    const again = await withCpuTime(() => index.learn(andAnother));
    expect(index.size).toBe(10_001);
    expect(index.names(true).whole.has("newcomer inc")).toBe(true);
    expect(again.cpuMs).toBeLessThan(first.cpuMs / 2);
  });
});

describe("the word index", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "z", "3"), minLength: 1, maxLength: 9 });

  it("finds what a comparison with every word finds", () => {
    fc.assert(
      fc.property(fc.uniqueArray(word), word, fc.constantFrom(1, 2), (words, said, most) => {
        const expected = words.filter((each) => distance(said, each, 20) <= most);
        const found = createWordIndex(words).near(said, most);
        expect(found.map((each) => each.word).toSorted()).toEqual(expected.toSorted());
        for (const each of found) expect(each.letters).toBe(distance(said, each.word, 20));
      }),
    );
  });
  it("counts no further than it is asked to", () => {
    fc.assert(
      fc.property(word, word, fc.constantFrom(0, 1, 2, 3), (a, b, most) => {
        expect(distance(a, b, most)).toBe(Math.min(distance(a, b, 20), most + 1));
      }),
    );
  });
  it("finds words by how they start", () => {
    expect(createWordIndex(["blue", "blunt", "bl", "black"]).startingWith("blu")).toEqual(["blue", "blunt"]);
  });
});

describe("a slip of the hand", () => {
  const names = createNames([{ field: "publisher", value: "Acme Media" }], lexicon);
  const plan = (text: string) => planQuestion({ text }, { lexicon, names, now, zone });
  it.each([
    ["daily cals last week", 'I read "cals" as "calls".'],
    ["Wich buyers had the most calls last week", 'I read "Wich" as "which".'],
    ["how many calls did Acme Media recieve last week", 'I read "recieve" as "receive".'],
    ["convertd calls by buyer", 'I read "convertd" as "converted".'],
    ["conversoin rate by campagin", 'I read "conversoin" as "conversion".'],
  ])("is corrected, and said to be: %s", (question, note) =>
    expect(plan(question)).toMatchObject({ kind: "plan", notes: expect.arrayContaining([note]) as unknown }),
  );
  it.each([
    "calls from cats last month",
    "calls by veterans",
    "cells by campaign",
    "calls of Cmae last month",
    "Acme calls by ghoul",
  ])("is none of another word: %s", (question) => expect(plan(question).kind).not.toBe("plan"));
  it("is no small word where that begins with another letter: a name that is not known", () => {
    const none = createNames([{ field: "publisher", value: "Red Hill" }], lexicon);
    const outcome = planQuestion({ text: "what did acme bring in last month" }, { lexicon, names: none, now, zone });
    expect(outcome.kind).not.toBe("plan");
  });
});

describe("a word that is spelled right", () => {
  it.each(["cold", "weakened", "forecasted", "brown", "collected", "exit"])("is no typo of another: %s", (word) => {
    const outcome = planQuestion(
      { text: `${word} calls by state last month` },
      { lexicon, names: createNames([], lexicon), now, zone },
    );
    expect(outcome).not.toMatchObject({ kind: "plan" });
  });
});
