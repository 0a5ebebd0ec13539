import type { Cluster } from "kafkajs";
import { systemClock } from "../../clock.ts";
import type { FollowOptions } from "../log.ts";
import { untilDone } from "../until-done.ts";
import { beyondEnd } from "./fetch.ts";
import { readEnds } from "./read.ts";
import { type ConsumerParts, type Started, toStarted } from "./started.ts";
import { workOnAll } from "./work.ts";

/** Reads all partitions, in no group. */
export function startFollower(parts: ConsumerParts, { topic, from, work }: FollowOptions): Started {
  const stopping = new AbortController();
  const { clock, onTrouble, partitions } = parts;
  const retry = { clock: systemClock, signal: stopping.signal, onTrouble };
  const opened: { cluster?: Cluster } = {};
  const name = parts.nameOf(topic);

  const run = async () => {
    const cluster = await untilDone(retry, parts.connect);
    if (cluster === null) return;
    opened.cluster = cluster;
    const ends = await untilDone(retry, () => readEnds(cluster, name, partitions));
    if (ends === null) return;
    const begin = new Map(ends.map((_, partition) => [partition, from[partition] ?? 0]));
    for (const [partition, offset] of begin) {
      const end = ends[partition] ?? 0;
      const isOffset = Number.isSafeInteger(offset) && offset >= 0 && offset <= end;
      if (!isOffset) throw beyondEnd(`${name}:${partition}`, offset, end);
    }
    await workOnAll({ cluster, topic, name, clock, onTrouble }, { from: begin, stopping }, work);
  };

  return toStarted(run(), { stopping, cleanUp: async () => opened.cluster?.disconnect().catch(onTrouble) });
}
