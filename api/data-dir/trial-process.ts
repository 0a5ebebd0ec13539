import { inOneLine } from "./file-error.ts";
import { storedFiles } from "./stored-files.ts";

// A process that reads stores as a whole: an engine that falls over a damaged file falls here.

export interface TrialRequest {
  readonly name: string;
  readonly path: string;
}
/** `held` counts its rows or messages; of one that cannot be read `fault` says why. */
export type TrialReply = { readonly held: number } | { readonly fault: string; readonly isFile: boolean };

async function read({ name, path }: TrialRequest): Promise<TrialReply> {
  try {
    const held = await storedFiles.find((each) => each.name === name)?.readWhole(path);
    return { held: held ?? 0 };
  } catch (error) {
    const fault = inOneLine(error);
    // Of these the file is no cause: whoever opens it meets them, has more room, or asks for other tables.
    return {
      fault,
      isFile: !/^(Out of Memory|Catalog|Binder|Parser) Error|Could not set lock|database is locked/.test(fault),
    };
  }
}

process.on("message", (asked: TrialRequest) => {
  void read(asked).then((reply) => process.send?.(reply));
});
process.once("disconnect", () => process.exit());
process.on("SIGINT", () => undefined);
