import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../temporary.ts";

const script = fileURLToPath(new URL("./full-disk-process.ts", import.meta.url));

// Others have no such limit to set.
describe.skipIf(process.platform !== "linux")("the embedded log on a disk that is full", () => {
  it("refuses what it cannot keep, loses nothing, and goes on when there is room again", { tags: ["slow"] }, () => {
    const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", script, temporaryFolder()], {
      encoding: "utf8",
    });
    // The engine would say so here had it met the full disk, over which it may end the process.
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      before: ["done", "done", "done"],
      during: ["log_unavailable"],
      after: ["done", "done", "done"],
      lost: 0,
    });
  });
});
