/** A file under `DATA_DIR` that the process cannot go on with: which, what is wrong with it and what to do, in a sentence or two. */
export class DataFileError extends Error {
  override readonly name = "DataFileError";
  readonly file: string;

  constructor(file: string, message: string, options?: ErrorOptions) {
    super(`${file} ${message}`, options);
    this.file = file;
  }
}

const longest = 300;

/** An engine's error message in one line of at most 300 characters. */
export const inOneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").trim().slice(0, longest);
