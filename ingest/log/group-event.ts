import type { Topic } from "./log.ts";

/** What becomes of this process's part in the work of a group; told once each. */
export type GroupEvent = { readonly group: string; readonly topic: Topic } & (
  | {
      /** The partitions were shared out. */
      readonly kind: "assigned";
      readonly generation: number;
      readonly partitions: readonly number[];
      /** How they differ from those that it had until then. */
      readonly gained: readonly number[];
      readonly lost: readonly number[];
    }
  /** It was not heard of for its session: its partitions have gone to others. */
  | { readonly kind: "expelled" }
  /** The brokers were out of reach for its whole session: it stops its work until they are back. */
  | { readonly kind: "unreachable" }
);
