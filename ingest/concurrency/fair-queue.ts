import { onAbort } from "../on-abort.ts";

export interface FairQueueOptions {
  /**
   * Pieces of work that run at once: of all, then of one member of each level, such as `[500, 100, 10]` for 500 in all,
   * 100 of an organization and 10 of one of its endpoints. Paths have a name for each level.
   */
  readonly limits: readonly [total: number, ...perMember: number[]];
  /** The member whose work begins next: each in turn (default), or that whose work has taken the least time of late. */
  readonly fairBy?: "turns" | "time";
  /** Milliseconds of any steady clock. */
  now?(): number;
}

export type Path = readonly string[];

export interface Turn {
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
  /** Work begins when less than this runs of its member of the last level, in place of that level's own limit. */
  readonly limit?: number;
}

interface Waiter {
  readonly since: number;
  readonly limit: number;
  begin(release: () => void): void;
}

/** All work, or that of one member of a level. */
interface Node {
  readonly name: string;
  readonly parent: Node | null;
  readonly limit: number;
  readonly children: Map<string, Node>;
  /** Children that can begin work, in turn. */
  readonly ready: Node[];
  isReady: boolean;
  /** On the last level, first come first served. */
  readonly waiters: Waiter[];
  /** Waiters here and below. */
  waiting: number;
  active: number;
  usedMs: number;
  usedAt: number;
}

/** Time that work has taken counts half after this long. */
const halfLifeMs = 30_000;

/**
 * A queue that is fair between the members of each level and passes over members that are at their limit, so that work
 * which hangs holds up nobody else's. Every operation costs the same however many wait, but for `fairBy: "time"`, which
 * compares the members that can begin work.
 */
export function createFairQueue({ limits, fairBy = "turns", now = () => performance.now() }: FairQueueOptions) {
  const root = createNode("", null, limits[0]);

  function usedMs({ usedMs, usedAt }: Node): number {
    return usedMs === 0 ? 0 : usedMs * 0.5 ** ((now() - usedAt) / halfLifeMs);
  }

  function find(path: Path): Node | undefined {
    let node: Node | undefined = root;
    for (const name of path) node = node?.children.get(name);
    return node;
  }

  function findOrAdd(path: Path): Node {
    let node = root;
    for (const [index, name] of path.entries()) {
      const child = node.children.get(name) ?? createNode(name, node, limits[index + 1] ?? Number.POSITIVE_INFINITY);
      node.children.set(name, child);
      node = child;
    }
    return node;
  }

  /** Takes the child out whose turn it is. */
  function takeReady({ ready }: Node): Node | undefined {
    let index = 0;
    if (fairBy === "time") {
      const used = ready.map(usedMs);
      index = used.indexOf(Math.min(...used));
    }
    const [child] = ready.splice(index, 1);
    if (child !== undefined) child.isReady = false;
    return child;
  }

  function beginNext(): void {
    while (canBegin(root)) {
      let leaf: Node | undefined = root;
      while (leaf !== undefined && leaf.waiters.length === 0) leaf = takeReady(leaf);
      const waiter = leaf?.waiters.shift();
      if (leaf === undefined || waiter === undefined) return;
      for (const node of upwards(leaf)) {
        node.waiting -= 1;
        node.active += 1;
      }
      lineUp(leaf);
      waiter.begin(toRelease(leaf));
    }
  }

  function toRelease(leaf: Node): () => void {
    const began = now();
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      for (const node of upwards(leaf)) {
        node.active -= 1;
        if (fairBy === "turns") continue;
        node.usedMs = usedMs(node) + now() - began;
        node.usedAt = now();
      }
      lineUp(leaf);
      forgetIdle(leaf);
      beginNext();
    };
  }

  const isIdle = (node: Node): boolean => node.active === 0 && node.waiting === 0 && usedMs(node) < 1;

  /** Removes members that have nothing to do, and no time that would change an order. */
  function forgetIdle(leaf: Node): void {
    for (const node of upwards(leaf)) {
      const members = node.parent?.children;
      for (const each of fairBy === "time" ? (members?.values() ?? []) : [node]) {
        if (isIdle(each)) members?.delete(each.name);
      }
    }
  }

  /** Resolves when the work of this path may begin, with what ends it. */
  function enter(path: Path, { signal, limit }: Turn): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leaf = findOrAdd(path);
      const waiter: Waiter = {
        since: now(),
        limit: limit ?? leaf.limit,
        begin(release) {
          stopListening?.();
          resolve(release);
        },
      };
      leaf.waiters.push(waiter);
      for (const node of upwards(leaf)) node.waiting += 1;
      lineUp(leaf);
      const stopListening =
        signal &&
        onAbort(signal, () => {
          leaf.waiters.splice(leaf.waiters.indexOf(waiter), 1);
          for (const node of upwards(leaf)) node.waiting -= 1;
          standBack(leaf);
          // Behind it one may wait whose limit is higher.
          lineUp(leaf);
          forgetIdle(leaf);
          reject(signal.reason);
          beginNext();
        });
      beginNext();
    });
  }

  return {
    /**
     * Runs work when its turn has come; rejects with the signal's reason when that aborts before. The work's place is free
     * when it ends, or earlier, when it calls `release`.
     */
    async run<T>(path: Path, work: (release: () => void) => Promise<T>, turn: Turn = {}): Promise<T> {
      turn.signal?.throwIfAborted();
      const release = await enter(path, turn);
      try {
        return await work(release);
      } finally {
        release();
      }
    },

    /** Number of waiters of a member, or of all with an empty path. */
    waiting: (path: Path): number => find(path)?.waiting ?? 0,

    /** Time for which the first waiter of a member of the last level has waited; 0 when nobody waits. */
    waitedMs(path: Path): number {
      const first = find(path)?.waiters[0];
      return first === undefined ? 0 : now() - first.since;
    },
  };
}
export type FairQueue = ReturnType<typeof createFairQueue>;

const createNode = (name: string, parent: Node | null, limit: number): Node => ({
  name,
  parent,
  limit,
  children: new Map(),
  ready: [],
  isReady: false,
  waiters: [],
  waiting: 0,
  active: 0,
  usedMs: 0,
  usedAt: 0,
});

function canBegin({ active, limit, waiters: [first], ready }: Node): boolean {
  return first === undefined ? active < limit && ready.length > 0 : active < first.limit;
}

function* upwards(leaf: Node): Generator<Node> {
  for (let node: Node | null = leaf; node !== null; node = node.parent) yield node;
}

/** Puts members that can begin work at the end of their parent's turns. */
function lineUp(leaf: Node): void {
  for (const node of upwards(leaf)) {
    if (node.parent === null || node.isReady || !canBegin(node)) continue;
    node.isReady = true;
    node.parent.ready.push(node);
  }
}

/** Takes members that cannot begin work any more out of their parent's turns. */
function standBack(leaf: Node): void {
  for (const node of upwards(leaf)) {
    if (node.parent === null || !node.isReady || canBegin(node)) continue;
    node.isReady = false;
    node.parent.ready.splice(node.parent.ready.indexOf(node), 1);
  }
}

/** Lets so many pieces of work run at once; the others wait, in order. */
export function createSemaphore(atOnce: number) {
  const { run } = createFairQueue({ limits: [atOnce] });
  return <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => run([], work, signal && { signal });
}

/** Runs the work of one key one piece after the other, in the order in which it is given; keys do not wait for each other. */
export function createKeyedMutex() {
  const { run } = createFairQueue({ limits: [Number.POSITIVE_INFINITY, 1] });
  return <T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    run([key], work, signal && { signal });
}
export type KeyedMutex = ReturnType<typeof createKeyedMutex>;
