import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deadLetterSchema } from "../../../ingest/dead-letter.ts";
import type { Topic } from "../../../ingest/log/log.ts";
import { openLmdbLog } from "../../../ingest/log/log-lmdb.ts";
import { type Signal, signalSchema } from "../../../ingest/signal.ts";
import { anIncoming, signalsOfCall } from "../../make.ts";
import { temporaryFolder } from "../../temporary.ts";
import { runCommandOf, spawnCommand } from "./run-command.ts";

const ingest = (args: readonly string[], { dataDir }: { dataDir: string }) =>
  runCommandOf("ingest", args, { DATA_DIR: dataDir });

async function readLog(dataDir: string, topic: Topic): Promise<unknown[]> {
  const log = await openLmdbLog({ dir: join(dataDir, "log") });
  try {
    const values: unknown[] = [];
    for await (const { value } of log.read({ topic, partition: 0, offset: 0 })) values.push(JSON.parse(value));
    return values;
  } finally {
    await log.close();
  }
}
const publishedIn = async (dataDir: string): Promise<Signal[]> =>
  (await readLog(dataDir, "call-signals")).map((value) => signalSchema.parse(value));

const lines = (...all: (Signal | string)[]) =>
  all.map((each) => `${typeof each === "string" ? each : JSON.stringify(each)}\n`).join("");

describe("npm run ingest", () => {
  it("tells with --help how it is used, on standard output, and does nothing else", async () => {
    const dataDir = temporaryFolder();
    const { code, out, err } = await ingest(["--help"], { dataDir });
    expect([code, err]).toEqual([0, ""]);
    for (const word of ["npm run ingest", "--fire-webhooks", "DATA_DIR", "Exit code"]) expect(out).toContain(word);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it("says in one sentence what it cannot read, and exits with 1, or 2 where the command line is wrong", async () => {
    const dataDir = temporaryFolder();
    const wrong: [args: string[], sentence: string, code?: number][] = [
      [[], "Name one file, or - for standard input."],
      [["a.ndjson", "b.ndjson"], "Name one file, or - for standard input."],
      [["no-such-file.ndjson"], "no-such-file.ndjson does not exist.", 1],
      [[dataDir], `${dataDir} is a folder: name a file in it.`, 1],
      [["--fire", "-"], "There is no option --fire."],
    ];
    const runs = await Promise.all(wrong.map(([args]) => ingest(args, { dataDir })));
    for (const [index, [, sentence, code = 2]] of wrong.entries()) {
      expect(runs[index]).toMatchObject({ code, out: "" });
      expect(runs[index]?.err.startsWith(sentence), runs[index]?.err).toBe(true);
      expect(runs[index]?.err).not.toContain("    at ");
    }
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it("publishes a file's signals without its webhooks, names each broken line and keeps it as a dead letter", async () => {
    const dataDir = temporaryFolder();
    const file = join(dataDir, "march.ndjson");
    const [first, ...rest] = signalsOfCall(16);
    const told = anIncoming({ ...first, kind: "incoming", webhook_ids: ["hook"] });
    writeFileSync(file, lines(told, "{broken", ...rest));
    const { code, out, err } = await ingest([file], { dataDir });
    expect([code, out]).toEqual([1, "4 signals published, 1 lines refused.\n"]);
    expect(err).toMatch(/^line 2: .+\n$/);
    const published = await publishedIn(dataDir);
    expect(published).toEqual([{ ...told, webhook_ids: [] }, ...rest]);
    const letters = (await readLog(dataDir, "dead-letters")).map((letter) => deadLetterSchema.parse(letter));
    expect(letters).toMatchObject([{ id: "march.ndjson:2", position: 2, reason: "invalid_json", raw: "{broken" }]);
  });

  it("reads standard input as -, tells webhooks if asked to, and exits with 0 when every line was taken", async () => {
    const dataDir = temporaryFolder();
    const told = anIncoming({ webhook_ids: ["hook"] });
    const { code, out, err } = await spawnCommand("ingest", {
      args: ["-", "--fire-webhooks"],
      settings: { DATA_DIR: dataDir },
      input: lines(told, ""),
    });
    expect([code, out, err]).toEqual([0, "1 signals published, 0 lines refused.\n", ""]);
    const twice = await spawnCommand("ingest", {
      args: ["--json", "-"],
      settings: { DATA_DIR: temporaryFolder() },
      input: lines(told, "{broken"),
    });
    expect([twice.code, JSON.parse(twice.out)]).toEqual([1, { published: 1, refused: 1 }]);
    expect(await publishedIn(dataDir)).toEqual([told]);
  });
});
