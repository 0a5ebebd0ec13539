import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { catalogLexicon } from "../../../assistant/planner/link/lexicon.ts";
import { createNames } from "../../../assistant/planner/link/name-index.ts";
import { planInTurn, planQuestion } from "../../../assistant/planner/offline.ts";
import { withCpuTime } from "../../cpu-time.ts";
import { now, zone } from "../example-data.ts";
import { plan } from "./plan-line.ts";

/** What each part of a list multiplies takes a minute and all memory long before a question is as long as it may be. */
const mostMs = 3000;

it.each(["revenue and ", "revenue, ", "revenue vs payout and "])(
  "a list of %j again and again costs what it is long",
  async (part) => {
    await plan("revenue by campaign");
    const { cpuMs } = await withCpuTime(() => plan(part.repeat(20)));
    expect(cpuMs).toBeLessThan(mostMs);
  },
);

it("a list of names that may be of several kinds is not read in all ways that they go together", async () => {
  const lexicon = catalogLexicon();
  const said = ["zulu", "yankee", "whisky", "victor", "uniform", "tango", "sierra", "romeo"];
  const kinds = ["campaign", "publisher", "buyer", "target", "webhook", "tag", "tag:language"];
  const names = createNames(
    said.flatMap((value) => kinds.map((field) => ({ field, value }))),
    lexicon,
  );
  const text = `calls for ${said.join(" or ")}`;
  const { cpuMs, result } = await withCpuTime(() => planQuestion({ text }, { lexicon, names, now, zone }));
  expect(result.kind).not.toBe("plan");
  expect(cpuMs).toBeLessThan(mostMs);
});

it("other work has its turns between the questions of a conversation that are read once more", async () => {
  const lexicon = catalogLexicon();
  const questions = Array.from({ length: 20 }, () => "revenue by campaign last month");
  let turns = 0;
  let isRead = false;
  const read = planInTurn(questions, { lexicon, names: createNames([], lexicon), now, zone });
  const others = (async () => {
    while (!isRead) {
      await turn();
      turns += 1;
    }
  })();
  expect(await read).toMatchObject({ measures: ["revenue"] });
  isRead = true;
  await others;
  expect(turns).toBeGreaterThanOrEqual(questions.length);
});
