import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkIntegrity } from "../../../api/data-dir/integrity-check.ts";
import { openLmdbLog } from "../../../ingest/log/log-lmdb.ts";
import { temporaryFolder } from "../../temporary.ts";

const name = "log/data.mdb";

/** Checks by a process that runs this code when asked. */
function checkBy(doing: string) {
  const script = join(temporaryFolder(), "check.mjs");
  writeFileSync(script, `process.on("message", () => { ${doing} });`);
  return checkIntegrity({ name, path: "some.file" }, { script, withinMs: 120_000 });
}

it("reads a file in a child process, and counts its messages", async () => {
  const dir = temporaryFolder();
  const log = await openLmdbLog({ dir });
  await log.publish([{ topic: "audit-log", key: "org", value: "{}" }]);
  await log.close();
  expect(await checkIntegrity({ name, path: join(dir, "data.mdb") })).toEqual({ kind: "read", held: 1 });
});

it("finds fault with the file when the process crashes on it, not when somebody else kills it", async () => {
  expect(await checkBy(`process.kill(process.pid, "SIGSEGV")`)).toMatchObject({
    kind: "fault",
    why: expect.stringContaining("SIGSEGV"),
  });
  expect(await checkBy(`process.kill(process.pid, "SIGBUS")`)).toMatchObject({ kind: "fault" });
  expect(await checkBy(`process.kill(process.pid, "SIGKILL")`)).toMatchObject({ kind: "unfinished" });
  expect(await checkBy("process.exit(1)")).toMatchObject({ kind: "unfinished" });
});

it("tells errors of the file from errors of the machine", async () => {
  const saying = (fault: string, isFile: boolean) => checkBy(`process.send(${JSON.stringify({ fault, isFile })})`);
  expect(await saying("IO Error: Corrupt database file", true)).toEqual({
    kind: "fault",
    why: "IO Error: Corrupt database file",
  });
  expect(await saying("Out of Memory Error", false)).toEqual({ kind: "unfinished", why: "Out of Memory Error" });
});

it("does not wait beyond its timeout", async () => {
  const script = join(temporaryFolder(), "check.mjs");
  writeFileSync(script, "setInterval(() => undefined, 1000);");
  expect(await checkIntegrity({ name, path: "some.file" }, { script, withinMs: 1 })).toMatchObject({
    kind: "unfinished",
  });
});
