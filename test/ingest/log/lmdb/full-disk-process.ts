import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { LogError } from "../../../../ingest/log/log.ts";
import { openLmdbLog } from "../../../../ingest/log/log-lmdb.ts";

// A log in a process of its own, whose files can be kept from growing as by a disk that is full.
const [dir = ""] = process.argv.slice(2);
const log = await openLmdbLog({ dir });
const value = JSON.stringify({ text: "x".repeat(100_000) });

const publish = (): Promise<string> =>
  log.publish([{ topic: "call-events", key: "call", value }]).then(
    () => "done",
    (error: unknown) => (error instanceof LogError ? error.code : String(error)),
  );
const publishMany = (count: number) => Promise.all(Array.from({ length: count }, publish));

const limitFiles = (bytes: number | "unlimited") =>
  execFileSync("prlimit", ["--pid", String(process.pid), `--fsize=${bytes}:`]);

const before = await publishMany(3);
limitFiles(statSync(join(dir, "data.mdb")).size);
// More than is reserved, again and again.
const during: string[] = [];
for (let round = 0; round < 20; round++) during.push(...(await publishMany(30)));
limitFiles("unlimited");
const after = await publishMany(3);

let stored = 0;
for await (const message of log.read({ topic: "call-events", partition: 0, offset: 0 })) {
  if (message.value === value) stored += 1;
}
await log.close();
const acknowledged = [...before, ...during, ...after].filter((outcome) => outcome === "done").length;
process.stdout.write(JSON.stringify({ before, during: [...new Set(during)], after, lost: acknowledged - stored }));
