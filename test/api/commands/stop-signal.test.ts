import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../temporary.ts";

const script = fileURLToPath(new URL("stop-mid-write.ts", import.meta.url));

it.each([1, 2, 3, 4, 5])(
  "a second signal ends the process at once, %i turns after a publish began",
  { tags: ["slow"] },
  async (turns) => {
    const args = ["--import", "tsx", script, temporaryFolder(), String(turns)];
    const child = spawn(process.execPath, args, { stdio: "inherit" });
    const patience = setTimeout(() => child.kill("SIGABRT"), 60_000);
    const [, signal] = await once(child, "exit");
    clearTimeout(patience);
    expect(signal).toBe("SIGKILL");
  },
);
