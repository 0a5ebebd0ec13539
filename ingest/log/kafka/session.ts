export interface SessionTerms {
  /** Time without heartbeats after which brokers reassign a member's partitions. */
  readonly timeoutMs: number;
  /** Interval of heartbeats, and so the delay until a member learns of a rebalance. */
  readonly heartbeatMs: number;
  /** Time that brokers wait in a rebalance for members to join again. */
  readonly rebalanceMs: number;
}

/**
 * Another member goes on with the partitions of one that died within ten seconds, on a busy machine too:
 *
 *   6.0 s  session: the dead one may have been heard of the moment before. Brokers refuse less, unless they are set to.
 *   0.5 s  heartbeat: the others hear of the rebalance with their next one.
 *   3.0 s  rebalance: they have 1.8 s (`shareForWork`) to end what they have in hand, then join without waiting for it.
 *          Brokers go on without a member that takes longer, and count from the end of the session: with the heartbeat
 *          that leaves 0.7 s to join in.
 *   0.5 s  left for three questions: who has which partition, what was committed, what comes next.
 *
 * Nothing is connected anew in between: the connections of the others are open and stay so. Should the broker that
 * coordinates the group die in the same moment, brokers choose another one first, which takes what it takes there.
 */
export const defaultSession: SessionTerms = { timeoutMs: 6_000, heartbeatMs: 500, rebalanceMs: 3_000 };

/** Share of the rebalance time that members wait for their work in progress before they join again. */
export const shareForWork = 0.6;

/** The longest that partitions of a member that died are without another one, but for the questions after joining. */
export const takeOverMs = ({ timeoutMs, heartbeatMs, rebalanceMs }: SessionTerms): number =>
  timeoutMs + heartbeatMs + rebalanceMs;
