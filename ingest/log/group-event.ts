import type { Topic } from "./log.ts";

/** A change of this process's membership in a consumer group; each is reported once. */
export type GroupEvent = { readonly group: string; readonly topic: Topic } & (
  | {
      /** The partitions were shared out. */
      readonly kind: "assigned";
      readonly generation: number;
      readonly partitions: readonly number[];
      /** The differences from the partitions before. */
      readonly gained: readonly number[];
      readonly lost: readonly number[];
    }
  /** The session timed out: the partitions were assigned to other members. */
  | { readonly kind: "expelled" }
  /** The brokers were out of reach for its whole session: it stops its work until they are back. */
  | { readonly kind: "unreachable" }
);
