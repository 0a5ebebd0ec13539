/** A file under `DATA_DIR` that the process cannot continue with: names the file, what is wrong and what to do. */
export class DataFileError extends Error {
  override readonly name = "DataFileError";
  readonly file: string;

  constructor(file: string, message: string, options?: ErrorOptions) {
    super(`${file} ${message}`, options);
    this.file = file;
  }
}

const maxLength = 300;

/** Returns an engine's error message in one line of at most 300 characters. */
export const inOneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").trim().slice(0, maxLength);
