import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tryFile } from "../../../api/data-dir/trial.ts";
import { openLmdbLog } from "../../../ingest/log/log-lmdb.ts";
import { temporaryFolder } from "../../temporary.ts";

const name = "log/data.mdb";

/** Tries by a process that does this when it is asked. */
function tryBy(doing: string) {
  const script = join(temporaryFolder(), "trial.mjs");
  writeFileSync(script, `process.on("message", () => { ${doing} });`);
  return tryFile({ name, path: "some.file" }, { script, withinMs: 120_000 });
}

it("reads a file in a process of its own, and counts what it holds", async () => {
  const dir = temporaryFolder();
  const log = await openLmdbLog({ dir });
  await log.publish([{ topic: "audit-log", key: "org", value: "{}" }]);
  await log.close();
  expect(await tryFile({ name, path: join(dir, "data.mdb") })).toEqual({ kind: "read", held: 1 });
});

it("has the file to blame where the process falls over it, and not where somebody else has killed it", async () => {
  expect(await tryBy(`process.kill(process.pid, "SIGSEGV")`)).toMatchObject({
    kind: "fault",
    why: expect.stringContaining("SIGSEGV"),
  });
  expect(await tryBy(`process.kill(process.pid, "SIGBUS")`)).toMatchObject({ kind: "fault" });
  expect(await tryBy(`process.kill(process.pid, "SIGKILL")`)).toMatchObject({ kind: "unfinished" });
  expect(await tryBy("process.exit(1)")).toMatchObject({ kind: "unfinished" });
});

it("tells apart what the engine says of the file from what it says of the machine", async () => {
  const saying = (fault: string, isFile: boolean) => tryBy(`process.send(${JSON.stringify({ fault, isFile })})`);
  expect(await saying("IO Error: Corrupt database file", true)).toEqual({
    kind: "fault",
    why: "IO Error: Corrupt database file",
  });
  expect(await saying("Out of Memory Error", false)).toEqual({ kind: "unfinished", why: "Out of Memory Error" });
});

it("does not wait for longer than it may", async () => {
  const script = join(temporaryFolder(), "trial.mjs");
  writeFileSync(script, "setInterval(() => undefined, 1000);");
  expect(await tryFile({ name, path: "some.file" }, { script, withinMs: 1 })).toMatchObject({ kind: "unfinished" });
});
