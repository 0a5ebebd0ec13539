import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { toJsonText } from "../../../api/commands/command.ts";
import { temporaryFolder } from "../../temporary.ts";
import { runCommandOf, spawnCommand } from "./run-command.ts";

const folder = new URL("../../../api/commands/", import.meta.url);
const sourceOf = (name: string) => readFileSync(new URL(`${name}.ts`, folder), "utf8");
const commands = readdirSync(folder)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length))
  .filter((name) => sourceOf(name).includes("await runCommand({"));

/** Those that end their process are run in one of their own. */
const run = (name: string, args: readonly string[]) =>
  sourceOf(name).includes("exits: true")
    ? spawnCommand(name, { args, settings: { DATA_DIR: temporaryFolder() } })
    : runCommandOf(name, args, { DATA_DIR: temporaryFolder() });

describe("every command", () => {
  it("is tested here", () => {
    expect(commands).toEqual([
      "ask",
      "bi-users",
      "catalog",
      "dead-letters",
      "demo",
      "export",
      "fixtures",
      "import",
      "ingest",
      "keys",
      "migrate",
      "numbers",
      "start",
    ]);
  });

  it.each(commands)("%s tells how it is used, and its version, and does nothing else", async (name) => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", folder), "utf8"));
    const help = await runCommandOf(name, ["--bogus", "--help"], {});
    expect(help).toMatchObject({ code: 0, err: "" });
    expect(help.out).toContain("--help, --version");
    expect(help.out).toContain("Exit code: 0 ");
    expect(await runCommandOf(name, ["--version"], {})).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });

  it.each(commands)("%s names an option that it does not have, in one line, and exits with 2", async (name) => {
    const sentence = "There is no option --bogus. See --help.\n";
    expect(await run(name, ["--bogus"])).toEqual({ code: 2, out: "", err: sentence });
  });

  it("has the version in a process of compiled code, too", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", folder), "utf8"));
    const { code, out } = await spawnCommand("keys", { args: ["--version"], settings: {} });
    expect([code, out]).toEqual([0, `${version}\n`]);
  });

  it("that has an output for programs says so in its help", async () => {
    const withJson = commands.filter((name) => /\bjson: (\{ type: "boolean" \}|flag)/.test(sourceOf(name)));
    expect(withJson).toEqual([
      "ask",
      "bi-users",
      "dead-letters",
      "export",
      "fixtures",
      "import",
      "ingest",
      "keys",
      "numbers",
    ]);
    for (const name of withJson) expect((await runCommandOf(name, ["--help"], {})).out).toMatch(/^ {2}--json {2,}\w/m);
  });
});

describe("a wrong command line", () => {
  const wrong = [
    ["fixtures", ["--out"], "--out needs a value."],
    ["fixtures", ["--out", "--now", "2026-11-01"], "--out needs a value."],
    ["export", ["--to", ""], "--to needs a value."],
    ["import", ["--from="], "--from needs a value."],
    ["keys", ["create", "--org", "Acme", "--admin=yes"], "--admin has no value."],
    ["migrate", ["now"], '"now" is no option, and there are no other arguments.'],
    ["export", ["folder"], '"folder" is no option, and there are no other arguments.'],
    ["export", [], "--to is missing: give a folder."],
  ] as const;

  it.each(wrong)("%s %j is told: %s", async (name, args, sentence) => {
    expect(await run(name, args)).toEqual({ code: 2, out: "", err: `${sentence} See --help.\n` });
  });

  it("may have a value that begins with a dash behind an equals sign, and text behind two dashes", async () => {
    const named = await run("keys", ["list", "--org=-Acme"]);
    expect([named.code, named.err]).toEqual([1, expect.not.stringContaining("needs a value")]);
    const asked = await run("ask", ["--", "--help"]);
    expect([asked.code, asked.out]).toEqual([1, ""]);
  });
});

it("export and import tell programs their counts as JSON", { tags: ["slow"] }, async () => {
  const [from, to, folder] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  await runCommandOf("keys", ["create", "--org", "Acme", "--new-org"], { DATA_DIR: from });
  const exported = await runCommandOf("export", ["--to", folder, "--json"], { DATA_DIR: from });
  expect(exported.code).toBe(0);
  const told = JSON.parse(exported.out);
  expect(told).toMatchObject({ folder, calls_in_progress: 0 });
  expect(told.tables).toContainEqual({ table: "organizations", rows: 1 });
  const imported = await runCommandOf("import", ["--from", folder, "--json"], { DATA_DIR: to });
  expect(imported.code).toBe(0);
  expect(JSON.parse(imported.out).tables).toContainEqual({ table: "organizations", exported: 1, imported: 1 });
});

it("JSON on standard output has no character that steers a terminal, and says the same", () => {
  const said = { name: "\u001b[2J\u009b1m\u202eä\n", list: [1] };
  const text = toJsonText(said);
  expect(text).not.toMatch(/(?!\n)\p{C}/u);
  expect(JSON.parse(text)).toEqual(said);
});
