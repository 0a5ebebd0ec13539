// @module-tag slow
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { spawnDemo } from "../demo-process.ts";
import { temporaryFolder } from "../temporary.ts";
import { buildClient, compile, freshProject, run } from "./client/fresh-project.ts";

const folder = fileURLToPath(new URL("../../api/guides", import.meta.url));
const pages = readdirSync(folder).filter((name) => name !== "README.md");
const blocksOf = (page: string, language: string): string[] =>
  [...readFileSync(join(folder, page), "utf8").matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, named, text = ""]) =>
    named === language ? [text] : [],
  );

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

it("does what it says by the typed client, as it stands: all of them", { timeout: 240_000 }, () => {
  const files = pages.map((page) => [page.replace(".md", ".ts"), blocksOf(page, "ts")] as const);
  expect(files.filter(([, blocks]) => blocks.length !== 1)).toEqual([]);
  const project = freshProject(Object.fromEntries(files.map(([name, [text = ""]]) => [name, text])));
  expect(compile(project)).toEqual([]);
  putDemoFile(project);
  for (const [name] of files) expect(run(process.execPath, [name.replace(".ts", ".js")], project), name).not.toBe("");
});
