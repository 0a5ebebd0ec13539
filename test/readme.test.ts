import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeSettings } from "../api/settings/settings.ts";
import { signalSchema } from "../ingest/signal.ts";

const root = new URL("..", import.meta.url);
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "api/OPERATIONS.md",
  "api/SECURITY.md",
  "api/client/README.md",
  "api/fixtures/README.md",
  "api/mcp/README.md",
  "api/guides/README.md",
  "api/reporting/README.md",
  "api/routing/README.md",
  "api/settings/README.md",
  "api/telephony/README.md",
  "api/webhooks/README.md",
  "assistant/README.md",
  "ingest/README.md",
  "test/README.md",
  "warehouse/README.md",
  "warehouse/bi-users/README.md",
];
const read = (page: string): string => readFileSync(new URL(page, root), "utf8");

/** The table that stands between the guide's settings marks. */
function settingsTable(): string {
  const rows = describeSettings().map(
    (each) => `| \`${each.name}\` | ${each.default && `\`${each.default}\``} | ${each.meaning} |`,
  );
  return ["| setting | default | what it is |", "|---|---|---|", ...rows].join("\n");
}

/** Those that a page's links name and that are not there: files, and headings of pages. */
function deadLinks(page: string): string[] {
  const targets = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? "");
  return targets
    .filter((target) => !/^https?:/.test(target))
    .filter((target) => {
      const [path = "", heading] = target.split("#");
      const file = path === "" ? new URL(page, root) : new URL(path, new URL(page, root));
      if (!existsSync(file)) return true;
      return heading !== undefined && !headingsOf(readFileSync(file, "utf8")).includes(heading);
    });
}

const headingsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );

describe("the README and its guides", () => {
  it("list every setting with its default, as the program knows them", () => {
    const [, table] = read("api/settings/README.md").split(/<!-- \/?settings -->/);
    expect(table?.trim()).toBe(settingsTable());
  });

  it("show signals that the platform takes", () => {
    const [, examples] = /```json\n([^`]+)```/.exec(read("ingest/README.md")) ?? [];
    const signals = (examples ?? "")
      .trim()
      .split("\n")
      .map((line) => signalSchema.safeParse(JSON.parse(line)));
    expect(signals).toHaveLength(4);
    for (const signal of signals) expect(signal.error).toBeUndefined();
  });

  it.each(pages)("name only commands that exist: %s", (page) => {
    const { scripts } = JSON.parse(read("package.json"));
    const named = [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  it.each(pages)("link to what is there: %s", (page) => {
    expect(deadLinks(page)).toEqual([]);
  });
});
