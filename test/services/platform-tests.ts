import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** By one of these a test opens the whole platform, on what services it is given. */
const openers = /\b(usePlatform|openPlatform|useReceiver)\(/;
/** They start processes of their own and kill them, or say for themselves what runs on which service. */
const others = [
  "test/api/distributed.test.ts",
  "test/api/two-of-each.test.ts",
  "test/api/export-import/export-import.test.ts",
];

/** Every file of tests of a whole platform, found by what it says, so that none is forgotten. */
export const platformTests = (): string[] =>
  readdirSync("test/api", { recursive: true, encoding: "utf8" })
    .map((path) => join("test/api", path))
    .filter((path) => path.endsWith(".test.ts") && !others.includes(path) && openers.test(readFileSync(path, "utf8")))
    .sort();

/** Every file of tests that reads or writes a warehouse on ClickHouse, by itself or by what it opens; of the evaluation, its answers. */
export const clickhouseTests = (): string[] =>
  readdirSync("test", { recursive: true, encoding: "utf8" })
    .map((path) => join("test", path))
    .filter((path) => path.endsWith(".test.ts") && !path.startsWith("test/e2e") && !path.includes("kafka"))
    .filter((path) => /clickhouse|loaderStores/i.test(readFileSync(path, "utf8")))
    .sort();
