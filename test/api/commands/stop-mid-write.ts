import { createStopSignal } from "../../../api/commands/stop-signal.ts";
import { openLmdbLog } from "../../../ingest/log/log-lmdb.ts";

/** Takes two signals some turns of the event loop after a publish began, so that a commit may wait for this thread. */
const [, , dir = "", turns] = process.argv;
const log = await openLmdbLog({ dir });
createStopSignal(() => undefined);
const publish = () => log.publish([{ topic: "call-signals", key: "k", value: "{}" }]);
await publish();
void publish();

function stopAfter(turns: number): void {
  if (turns > 0) {
    setImmediate(() => stopAfter(turns - 1));
    return;
  }
  // The log's writer, a thread of its own, gets to where it waits.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  process.emit("SIGTERM");
  process.emit("SIGTERM");
}
stopAfter(Number(turns));
