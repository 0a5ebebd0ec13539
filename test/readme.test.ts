import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeSettings } from "../api/settings/settings.ts";
import { signalSchema } from "../ingest/signal.ts";

const path = new URL("../README.md", import.meta.url);
const readme = readFileSync(path, "utf8");

/** The table that stands between the README's settings marks. */
function settingsTable(): string {
  const rows = describeSettings().map(
    (each) => `| \`${each.name}\` | ${each.default && `\`${each.default}\``} | ${each.meaning} |`,
  );
  return ["| setting | default | what it is |", "|---|---|---|", ...rows].join("\n");
}

describe("the README", () => {
  it("lists every setting with its default, as the program knows them", () => {
    const [, table] = readme.split(/<!-- \/?settings -->/);
    expect(table?.trim()).toBe(settingsTable());
  });

  it("shows signals that the platform takes", () => {
    const [, examples] = /```json\n([^`]+)```/.exec(readme) ?? [];
    const signals = (examples ?? "")
      .trim()
      .split("\n")
      .map((line) => signalSchema.safeParse(JSON.parse(line)));
    expect(signals).toHaveLength(4);
    for (const signal of signals) expect(signal.error).toBeUndefined();
  });

  it("names only commands that exist", () => {
    const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(3);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });
});
