import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { helpColumns, helpText } from "../../../api/commands/command.ts";
import { describeSettings } from "../../../api/settings/settings.ts";
import { runCommandOf } from "./run-command.ts";

const tooWide = (text: string) => text.split("\n").filter((line) => line.length > helpColumns);
const namesIn = (help: string) => [...help.matchAll(/^ {2}([A-Z][A-Z\d_]+) /gm)].map(([, name]) => name);

describe("the help of a command", () => {
  it("tells how it is used first, then every setting that the service reads, with its default", () => {
    const help = helpText({ usage: "npm start\n\nRuns.", reads: ["service", "demo"] });
    expect(help).toMatch(/^npm start\n\nRuns\.\n\n.*\nExit code: [^\n]*\n\nSettings, by environment:\n\n {2}HOST /s);
    expect(namesIn(help)).toEqual(describeSettings().map(({ name }) => name));
    const inOneLine = help.replaceAll(/\s+/g, " ");
    for (const { name, meaning, default: value } of describeSettings()) {
      expect(meaning, name).not.toBe("");
      expect(inOneLine).toContain(`${name} ${meaning}${value && ` [${value}]`}`);
    }
    expect(help).not.toContain("npm start -- --help");
  });

  it("of a command that reads a few settings has those, and tells where the rest is", () => {
    const help = helpText({ usage: "npm run x", reads: ["config"], also: ["HOST"] });
    expect(namesIn(help)).toEqual(["HOST", "DATA_DIR", "DATABASE_URL"]);
    expect(help.endsWith("\n\nAll settings of the service: npm start -- --help")).toBe(true);
  });

  it("of the warehouse's settings has how long rows are kept", () => {
    expect(namesIn(helpText({ usage: "npm run x", reads: ["warehouse"] }))).toContain("WAREHOUSE_RETENTION_DAYS");
  });

  it("stands in columns, and is no wider than a terminal", () => {
    const help = helpText({ usage: "npm start", reads: ["service"] });
    expect(tooWide(help)).toEqual([]);
    const lines = help.slice(help.indexOf("  HOST ")).split("\n");
    const column = lines[0]?.indexOf("Address") ?? 0;
    for (const line of lines) expect(line.slice(0, column), line).toMatch(/^ {2}([A-Z\d_]+ {2,}| +)$/);
  });

  it("is all that --help prints of a command that writes a page", async () => {
    const { code, out, err } = await runCommandOf("catalog", ["--help"], {});
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^npm run catalog\n\nWrites /);
  });

  it("is written for that width in every command", () => {
    const folder = new URL("../../../api/commands/", import.meta.url);
    const tested = ["bench/run.ts", "services/run.ts", "services/kills.ts", "attacks/run.ts"].map(
      (file) => `../../test/${file}`,
    );
    const usages = [...readdirSync(folder), ...tested]
      .map((file) => /const usage = `([^`]*)`/.exec(readFileSync(new URL(file, folder), "utf8"))?.[1])
      .filter((usage) => usage !== undefined);
    expect(usages).toHaveLength(17);
    for (const usage of usages) expect(tooWide(usage)).toEqual([]);
  });
});
