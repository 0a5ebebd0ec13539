/**
 * `inbound_rate` and `outbound_rate` are pings that were counted, `backoff` a buyer that is left alone or is well again,
 * `failures` how often in a row a buyer has failed, `asker` a process that asks a formula's buyer, `answer` one that stands for repeats, `taken` one that no longer does.
 */
export type NoticeKind = "inbound_rate" | "outbound_rate" | "backoff" | "failures" | "asker" | "answer" | "taken";

/** Something that an API process tells the others about pings. */
export interface Notice {
  readonly kind: NoticeKind;
  readonly orgId: string;
  /** What it is about, within the organization; short. */
  readonly id: string;
  /** Of what one process tells about the same, only the newest with the same slot stands: told again, it counts once. */
  readonly slot: string;
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A notice of another process. */
export interface Heard extends Notice {
  readonly process: string;
}

/**
 * What the processes of an installation tell each other while they answer pings. Both sides are of this process's memory:
 * nobody waits for anybody, and what is told is heard a moment later. An installation of one process has none.
 */
export interface Notices {
  /** Who tells: another one at each start. */
  readonly process: string;
  tell(notice: Notice): void;
  /** A notice may be heard more than once, and of several processes in any order. */
  onHeard(kind: NoticeKind, listener: (heard: Heard) => void): void;
}
