// @module-tag slow
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../temporary.ts";

const script = fileURLToPath(new URL("./full-disk-process.ts", import.meta.url));

// Others have no such limit to set.
describe.skipIf(process.platform !== "linux")("the embedded warehouse on a disk that is full", () => {
  it("stores nothing, loses nothing, and goes on by itself when there is room again", () => {
    const args = ["--import", "tsx", script, join(temporaryFolder(), "warehouse.duckdb")];
    const told = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
    expect(told).toEqual({
      outcomes: ["done", "unavailable", "unavailable", "unavailable", "done", "done"],
      stored: 1500,
      ids: 1500,
      position: 1500,
    });
  });
});
