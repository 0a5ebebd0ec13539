// @module-tag slow
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { spawnDemo } from "../demo-process.ts";
import { temporaryFolder } from "../temporary.ts";
import { buildClient, compile, freshProject, run } from "./client/fresh-project.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "api", "guides");
const pages = readdirSync(folder).filter((name) => name !== "README.md");
const blocksIn = (path: string, language: string): string[] =>
  [...readFileSync(path, "utf8").matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, named, text = ""]) =>
    named === language ? [text] : [],
  );
const blocksOf = (page: string, language: string): string[] => blocksIn(join(folder, page), language);
/** Pages with requests beside their text; those of the first set the variables that all use. */
const otherPages = [
  "README.md",
  ...["reporting", "routing", "settings", "webhooks", "mcp"].map((name) => `api/${name}/README.md`),
];

const dataDir = mkdtempSync(join(tmpdir(), "trunkline-guides-"));
let demo: ReturnType<typeof spawnDemo> | undefined;
let demoFile = "";
beforeAll(async () => {
  buildClient();
  demo = spawnDemo(dataDir, { DEMO_CALLS: "300" });
  demoFile = JSON.stringify(await demo.ready());
}, 300_000);
afterAll(async () => {
  demo?.kill();
  await demo?.ended;
  rmSync(dataDir, { recursive: true, force: true });
});

/** What a reader has who started the demo in the folder. */
const putDemoFile = (into: string): void => {
  mkdirSync(join(into, "data"));
  writeFileSync(join(into, "data", "demo.json"), demoFile);
};

it("the guide of guides names every page", () => {
  const named = [...readFileSync(join(folder, "README.md"), "utf8").matchAll(/\(([\w-]+\.md)\)/g)].map(
    ([, name]) => name,
  );
  expect(named.toSorted()).toEqual(pages.toSorted());
});

it.each(pages)("does what it says by curl, as it stands: %s", { timeout: 120_000 }, (page) => {
  const [script, ...more] = blocksOf(page, "sh");
  expect(more).toEqual([]);
  const reader = temporaryFolder();
  putDemoFile(reader);
  const said = execFileSync("bash", ["-euo", "pipefail", "-c", script ?? ""], { cwd: reader, encoding: "utf8" });
  expect(said).not.toBe("");
  // What jq prints where a field is not there.
  expect(said).not.toMatch(/^null$/m);
});

it("answers every request by curl of the README and of the guides that go on from it", { timeout: 120_000 }, () => {
  const reader = temporaryFolder();
  putDemoFile(reader);
  const requests = otherPages.flatMap((page) =>
    blocksIn(join(root, page), "sh").filter((text) => text.includes("curl ")),
  );
  expect(requests.length).toBeGreaterThanOrEqual(otherPages.length);
  // What answers no says so in its body, as these requests are written.
  const script = requests.join("\n").replaceAll("curl -s", "curl -s --fail-with-body");
  const said = execFileSync("bash", ["-euo", "pipefail", "-c", script], { cwd: reader, encoding: "utf8" });
  expect(said).not.toMatch(/^null$/m);
  for (const part of ["call.completed", "SELECT", "eligible_routes", '"outcome": "taken"', '{"success":true'])
    expect(said).toContain(part);
  expect(existsSync(join(reader, "calls.parquet"))).toBe(true);
});

it("does what it says by the typed client, as it stands: all of them", { timeout: 240_000 }, () => {
  const files = pages.map((page) => [page.replace(".md", ".ts"), blocksOf(page, "ts")] as const);
  expect(files.filter(([, blocks]) => blocks.length !== 1)).toEqual([]);
  const project = freshProject(Object.fromEntries(files.map(([name, [text = ""]]) => [name, text])));
  expect(compile(project)).toEqual([]);
  putDemoFile(project);
  for (const [name] of files) expect(run(process.execPath, [name.replace(".ts", ".js")], project), name).not.toBe("");
});
