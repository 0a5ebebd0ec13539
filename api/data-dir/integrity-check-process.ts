import { inOneLine } from "./data-file-error.ts";
import { storedFiles } from "./stored-files.ts";

// A child process that reads stores as a whole: an engine that crashes on a damaged file crashes here.

export interface CheckRequest {
  readonly name: string;
  readonly path: string;
}
/** Answer with the number of rows or messages, or with the error that reading ended in. */
export type CheckReply = { readonly held: number } | { readonly fault: string; readonly isFile: boolean };

async function check({ name, path }: CheckRequest): Promise<CheckReply> {
  try {
    const held = await storedFiles.find((each) => each.name === name)?.readWhole(path);
    return { held: held ?? 0 };
  } catch (error) {
    const fault = inOneLine(error);
    // Errors that the file does not cause: a lock, too little memory, tables of another version.
    const isFile = !/^(Out of Memory|Catalog|Binder|Parser) Error|Could not set lock|database is locked/.test(fault);
    return { fault, isFile };
  }
}

process.on("message", (request: CheckRequest) => {
  void check(request).then((reply) => process.send?.(reply));
});
process.once("disconnect", () => process.exit());
process.on("SIGINT", () => undefined);
