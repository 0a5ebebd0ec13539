import type { Logger } from "pino";

/** Closes what was opened in reverse order, once; a part that fails to close does not keep the others open. */
export function createClosers(logger: Logger) {
  const opened: { close(): Promise<void> }[] = [];
  let closing: Promise<void> | null = null;
  const closeAll = async () => {
    for (const part of opened.reverse()) {
      await part.close().catch((error: unknown) => logger.error({ err: error }, "failed to close"));
    }
  };
  return {
    add<T extends { close(): Promise<void> }>(part: T): T {
      opened.push(part);
      return part;
    },
    closing: (): boolean => closing !== null,
    close(): Promise<void> {
      closing ??= closeAll();
      return closing;
    },
  };
}
export type Closers = ReturnType<typeof createClosers>;
