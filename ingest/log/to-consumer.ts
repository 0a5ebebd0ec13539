import type { Consumer } from "./log.ts";

/** Makes a consumer of its work; `settled` resolves when all work has returned, however it ended. */
export function toConsumer(finished: Promise<void>, stopping: AbortController) {
  const settled = finished.catch(() => undefined);
  const consumer: Consumer = {
    finished,
    async stop() {
      stopping.abort();
      await settled;
    },
  };
  return { consumer, settled };
}
