import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../../api/adapters.ts";
import { createConfigStore } from "../../../api/config/store.ts";
import { fixtureFile, openFixtureFile } from "../../../api/fixtures/fixture-file.ts";
import { readSettings } from "../../../api/settings/settings.ts";
import { answerSchema } from "../../../assistant/answer.ts";
import { paperColours } from "../../../assistant/web/chart/svg-file.ts";
import { systemClock } from "../../../ingest/clock.ts";
import { openDuckdb } from "../../../sql/duckdb.ts";
import { temporaryFolder } from "../../temporary.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../temporary-directory.ts";
import { runCommandOf } from "./run-command.ts";

let made: TemporaryDirectory;
beforeAll(async () => {
  made = await makeTemporaryDirectory();
  const args = ["--out", made.path, "--now", "2026-11-01T12:00:00Z"];
  const { code, err } = await runCommandOf("fixtures", args, { DEMO_CALLS: "400" });
  expect([code, err]).toEqual([0, expect.any(String)]);
});
afterAll(() => made.remove());

const ask = (...args: string[]) => runCommandOf("ask", args, {});
const onFixtures = (...args: string[]) => ask(...args, "--on", made.path);

async function answered(...args: string[]): Promise<string> {
  const { code, out, err } = await onFixtures(...args);
  expect([code, err]).toEqual([0, expect.any(String)]);
  return out;
}

describe("a question to fixtures", () => {
  it("is answered in a sentence, then a table, then by what can be asked next", async () => {
    const lines = (await answered("revenue by campaign last month")).split("\n");
    expect(lines[0]).toMatch(/^Revenue by campaign last month \(Oct 1 – 31, 2026\): .*\$/);
    expect(lines[1]).toBe("");
    expect(lines[2]).toMatch(/^Campaign +Revenue$/);
    expect(lines[3]).toMatch(/^[\w -]+ {2,}\$[\d,]+\.\d\d$/);
    // Figures end below each other.
    expect(lines[3]).toHaveLength(lines[4]?.length ?? 0);
    expect(lines).toContain("Ask next:");
  });

  it("needs no quotes, and one figure has no table", async () => {
    expect(await answered("how", "many", "calls", "in", "October")).toMatch(/^\d+ calls in Oct.*\n\nAsk next:\n/);
  });

  it("goes by the end of the fixtures, or a time that is given", async () => {
    expect(await answered("calls last month")).toContain("Oct 1 – 31, 2026");
    expect(await answered("calls last month", "--now", "2026-10-15T12:00:00Z")).toContain("Sep 1 – 30, 2026");
  });

  it("is for the organization with most calls, which is said apart from the answer, or for one that is named", async () => {
    const { err } = await onFixtures("calls last month");
    expect(err).toMatch(/^Asked for Harborline Performance Media \([\w-]+\); --organization names another of 2\.\n$/);
    const [first, other] = await Promise.all(
      ["--organization", "--org"].map((option) => onFixtures("calls last month", option, "Copper Mesa Calls")),
    );
    expect(first?.err).toBe("");
    expect(other).toEqual(first);
    expect(await onFixtures("calls", "--organization", "Acme")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^There is no organization Acme\. There are: Copper Mesa Calls \(.*Harborline/),
    });
  });

  it("has its SQL, which gives the same rows in any shell of DuckDB", async () => {
    const question = "connected calls by caller state last month";
    const text = await answered(question, "--sql");
    const instance = await openDuckdb(":memory:", "warehouse", { allowFiles: true });
    const connection = await instance.connect();
    await connection.run(`ATTACH '${fixtureFile(made.path)}' AS fixtures (READ_ONLY)`);
    await connection.run("USE fixtures");
    const rows = (await connection.runAndReadAll(text)).getRowsJson();
    connection.closeSync();
    instance.closeSync();
    const [header, ...lines] = (await answered(question, "--csv")).trimEnd().split("\r\n");
    expect(header).toBe("state,connected_calls");
    expect(lines).toEqual(rows.map(([state, calls]) => `${state ?? ""},${calls}`));
    expect(lines.length).toBeGreaterThan(10);
  });

  it("has the answer of the API as JSON, also where there is none", async () => {
    const answer = answerSchema.parse(JSON.parse(await answered("revenue by campaign last month", "--json")));
    expect(answer.chart_suggestion?.vega_lite).toMatchObject({ mark: expect.anything() });
    const { code, out } = await onFixtures("revenue of martians", "--json");
    expect([code, answerSchema.parse(JSON.parse(out)).sql]).toEqual([1, ""]);
  });

  it("that is not understood ends with what may have been meant", async () => {
    const { code, out, err } = await onFixtures("revnue by campain for martians", "--csv");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/I do not know “martians”\.[^\n]*\n\nDid you mean:\n {2}\S/);
  });
});

describe("the chart of an answer", () => {
  it("is an SVG file with the names and in the page's colours on paper", async () => {
    const file = join(temporaryFolder(), "chart.svg");
    const { code, out, err } = await onFixtures("revenue by campaign last month", "--chart", file);
    expect([code, out]).toEqual([0, expect.stringMatching(/^Revenue by campaign/)]);
    expect(err).toContain(`Drawn in ${file}`);
    const svg = readFileSync(file, "utf8");
    expect(svg).toMatch(/^<svg .*Medicare Advantage Q4.*<\/svg>$/s);
    expect(svg).toContain(`fill="${paperColours["series-1"]}"`);
    expect(svg).not.toContain("var(");
  });

  it("has the colours of the page's style sheet", () => {
    const sheet = readFileSync(new URL("../../../assistant/web/styles/base.css", import.meta.url), "utf8");
    const light = sheet.slice(0, sheet.indexOf("@media"));
    for (const [name, colour] of Object.entries(paperColours)) expect(light).toContain(` --${name}: ${colour};`);
  });

  it("is not made of one figure, and the file is not written", async () => {
    const file = join(temporaryFolder(), "chart.svg");
    const { code, err } = await onFixtures("how many calls last month", "--chart", file);
    expect([code, existsSync(file)]).toEqual([1, false]);
    expect(err).toContain("No chart suits this answer");
  });
});

describe("the data of a question", () => {
  it("are those of a stopped platform, too", async () => {
    const DATA_DIR = temporaryFolder();
    copyFileSync(fixtureFile(made.path), join(DATA_DIR, "warehouse.duckdb"));
    const { warehouse, organizations } = await openFixtureFile(made.path);
    await warehouse.close();
    const database = await openDatabase(readSettings({ DATA_DIR }), { clock: systemClock });
    for (const each of organizations) await createConfigStore(database, systemClock).saveOrganization(each);
    await database.close();
    const question = ["revenue by campaign in October 2026", "--now", "2026-11-01T12:00:00Z"];
    const [fixtures, installation, byDefault] = [
      await onFixtures(...question),
      await ask(...question, "--on", DATA_DIR),
      await runCommandOf("ask", question, { DATA_DIR }),
    ];
    expect(installation).toEqual(fixtures);
    expect(byDefault).toEqual(fixtures);
  });

  it("that are not there are told, with how to make some", async () => {
    const empty = temporaryFolder();
    const [none, nothing] = [await ask("calls", "--on", join(empty, "none")), await ask("calls", "--on", empty)];
    expect(none).toEqual({ code: 1, out: "", err: expect.stringMatching(/^There is no folder .*npm run fixtures/) });
    expect(nothing).toEqual({ code: 1, out: "", err: expect.stringMatching(/^There are no data: .*npm run fixtures/) });
    writeFileSync(fixtureFile(empty), "nothing");
    expect((await ask("calls", "--on", empty)).err).toMatch(/trunkline\.duckdb is no data of ours: it is 7 bytes long/);
  });

  it("that another process writes are told to be in use, with what to do", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "data"));
    for (const file of [fixtureFile(folder), join(folder, "data", "warehouse.duckdb")]) {
      copyFileSync(fixtureFile(made.path), file);
      const open = `const { DuckDBInstance } = await import("@duckdb/node-api"); globalThis.kept = await DuckDBInstance.create(${JSON.stringify(file)}); console.log("open"); setInterval(() => {}, 1000);`;
      const child = spawn(process.execPath, ["--input-type=module", "-e", open], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await new Promise((resolve) => child.stdout.once("data", resolve));
      const gone = new Promise((resolve) => child.once("exit", resolve));
      try {
        const { code, err } = await ask(
          "calls",
          "--on",
          file.endsWith("trunkline.duckdb") ? folder : join(folder, "data"),
        );
        const advice = file.endsWith("trunkline.duckdb") ? "Close what has it open" : "ask on its page";
        expect([code, err]).toEqual([1, expect.stringContaining(`${file} is in use by another process.`)]);
        expect(err).toContain(advice);
      } finally {
        child.kill("SIGKILL");
        await gone;
      }
    }
  });

  it("may be read by several at once, and stay as they are", async () => {
    const before = readFileSync(fixtureFile(made.path));
    const { warehouse } = await openFixtureFile(made.path);
    await answered("calls last month");
    await warehouse.close();
    expect(readFileSync(fixtureFile(made.path)).equals(before)).toBe(true);
  });
});

describe("a wrong command line", () => {
  const wrong = [
    [[], "The question is missing."],
    [["calls", "--sql", "--csv"], "Give one of --sql and --csv."],
    [["calls", "--chart", "chart.png"], "--chart chart.png: the chart is SVG"],
    [["calls", "--now", "soon"], "--now soon is not a time"],
    [["calls", "--bogus"], "There is no option --bogus."],
  ] as const;

  it.each(wrong)("%j ends with 2 and says why", async (args, says) => {
    const { code, out, err } = await ask(...args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(says);
  });
});
