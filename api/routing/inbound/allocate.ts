import type { Clock } from "../../../ingest/clock.ts";
import type { Database } from "../../database/database.ts";
import { type Claim, claim, countExhaustions, insertRequests, keyOf, readReleases } from "./allocation-rows.ts";
import type { AllocatedRequest } from "./binding.ts";
import { createPoolNumbers, type NumberPool, type PoolNumbers } from "./number-pools.ts";

/** The numbers that a ping asks for. */
export interface NumberRequest {
  readonly orgId: string;
  readonly request: Omit<AllocatedRequest, "expires_at">;
  readonly allocationMs: number;
  /** Numbers that are wanted: 1 of a receive number. */
  readonly count: number;
  /** Pools in the order in which they are asked, or the one number that all callers of the endpoint are sent to. */
  readonly from:
    | { readonly kind: "pools"; readonly pools: readonly NumberPool[] }
    | { readonly kind: "number"; readonly number: string };
}

/** A number for the route in this place of the request, until the allocation ends, in milliseconds since 1970. */
export interface AllocatedNumber {
  readonly number: string;
  readonly place: number;
  readonly expiresAt: number;
}

/** Tries of a ping whose numbers went to another process each time. */
const maxRounds = 5;
/** The interval of looking for numbers that other processes have released, when none is left. */
const rereadEveryMs = 1000;

/** Keeps what this process knows of each organization's numbers, and counts pools that were empty. */
export function createAllocating(database: Database, clock: Clock) {
  const known = new Map<string, { readonly numbers: PoolNumbers; readonly readAt: number }>();
  let exhausted = new Map<string, { orgId: string; poolId: string; pings: number }>();

  async function read(orgId: string): Promise<void> {
    const numbers = known.get(orgId)?.numbers ?? createPoolNumbers();
    for (const { number, at } of await readReleases(database, orgId)) numbers.setReleased(number, at);
    known.set(orgId, { numbers, readAt: clock.now() });
  }

  return {
    database,
    clock,
    read,
    /** Looks once, before anything is picked. */
    async prepare(orgId: string): Promise<void> {
      if (!known.has(orgId)) await read(orgId);
    },
    /** Returns true if others may have released numbers since this process looked. */
    isStale: (orgId: string, now: number): boolean => now - (known.get(orgId)?.readAt ?? 0) >= rereadEveryMs,
    pick: (orgId: string, pool: NumberPool, { count, now }: { count: number; now: number }) =>
      known.get(orgId)?.numbers.pick(pool, count, now) ?? [],
    setReleased: (orgId: string, number: string, at: number): void => known.get(orgId)?.numbers.setReleased(number, at),
    noteExhausted({ orgId, from }: NumberRequest): void {
      for (const { id: poolId } of from.kind === "pools" ? from.pools : []) {
        const key = `${orgId} ${poolId}`;
        exhausted.set(key, { orgId, poolId, pings: (exhausted.get(key)?.pings ?? 0) + 1 });
      }
    },
    async writeExhaustions(): Promise<void> {
      if (exhausted.size === 0) return;
      const all = [...exhausted.values()];
      exhausted = new Map();
      await countExhaustions(database, all, clock.now());
    },
  };
}
type Allocating = ReturnType<typeof createAllocating>;

/** For each of the pings, which are claimed together, a number by place; null where no number was left for it. */
export async function allocateAll(
  allocating: Allocating,
  all: readonly NumberRequest[],
): Promise<(readonly AllocatedNumber[])[]> {
  const { database, clock } = allocating;
  const now = clock.now();
  const served = all.map((wanted): Serving => {
    const numbers = Array<string | null>(wanted.count).fill(null);
    return { wanted, expiresAt: now + wanted.allocationMs, numbers, isKept: false };
  });
  await claimReceivers(database, served);
  await claimFromPools(
    allocating,
    served.filter(({ wanted }) => wanted.from.kind === "pools"),
    now,
  );
  return served.map(({ numbers, expiresAt }) =>
    numbers.flatMap((number, place) => (number === null ? [] : [{ number, place, expiresAt }])),
  );
}

interface Serving {
  readonly wanted: NumberRequest;
  readonly expiresAt: number;
  /** The numbers given so far, indexed by place. */
  readonly numbers: (string | null)[];
  /** True once the request that its numbers stand for is in the database. */
  isKept: boolean;
}
const isLacking = ({ numbers }: Serving): boolean => numbers.includes(null);

/** Comes before any claim: a number that can be called has its request. A ping that no number is left for writes nothing. */
async function keepRequests(database: Database, served: Iterable<Serving>): Promise<void> {
  const fresh = [...new Set(served)].filter(({ isKept }) => !isKept);
  if (fresh.length === 0) return;
  await insertRequests(
    database,
    fresh.map(({ wanted, expiresAt }) => ({
      orgId: wanted.orgId,
      request: { ...wanted.request, expires_at: expiresAt },
    })),
  );
  for (const serving of fresh) serving.isKept = true;
}

/** A newer ping of a caller replaces an older one, of the same batch too. */
async function claimReceivers(database: Database, served: readonly Serving[]): Promise<void> {
  const claims = new Map<string, Claim>();
  const receiving = served.filter(({ wanted: { from } }) => from.kind === "number");
  await keepRequests(database, receiving);
  for (const { wanted, expiresAt, numbers } of receiving) {
    const { from, request, orgId } = wanted;
    if (from.kind !== "number" || request.caller === null) continue;
    const { caller, request_id: requestId } = request;
    const each = { orgId, number: from.number, slot: caller, caller, requestId, place: 0, expiresAt };
    claims.set(keyOf(each), each);
    numbers[0] = from.number;
  }
  if (claims.size > 0) await claim(database, [...claims.values()], null);
}

/** Picks by what this process knows, and where another one was first learns what that one knows and picks again. */
async function claimFromPools(allocating: Allocating, served: readonly Serving[], now: number): Promise<void> {
  for (const orgId of orgsOf(served)) await allocating.prepare(orgId);
  for (let round = 0; round < maxRounds; round += 1) {
    const lacking = served.filter(isLacking);
    const lost = await claimPicks(
      allocating,
      lacking.flatMap((serving) => pickFor(allocating, serving, now)),
      now,
    );
    const stale = lacking.filter((each) => isLacking(each) && allocating.isStale(each.wanted.orgId, now));
    const unsure = orgsOf([...lost, ...stale]);
    if (unsure.size === 0) break;
    for (const orgId of unsure) await allocating.read(orgId);
  }
  for (const { wanted } of served.filter(isLacking)) allocating.noteExhausted(wanted);
}

const orgsOf = (served: readonly Serving[]): ReadonlySet<string> => new Set(served.map(({ wanted }) => wanted.orgId));

interface Pick {
  readonly serving: Serving;
  readonly place: number;
  readonly number: string;
  readonly releasedAt: number;
  readonly holdMs: number;
}

/** A number for each place that lacks one, as far as there are any. */
function pickFor(allocating: Allocating, serving: Serving, now: number): Pick[] {
  const { from, orgId } = serving.wanted;
  const places = serving.numbers.flatMap((number, place) => (number === null ? [place] : []));
  const picks: Pick[] = [];
  for (const pool of from.kind === "pools" ? from.pools : []) {
    for (const picked of allocating.pick(orgId, pool, { count: places.length - picks.length, now })) {
      picks.push({ serving, place: places[picks.length] ?? 0, ...picked, holdMs: pool.holdMs });
    }
  }
  return picks;
}

/** Claims what was picked; returns those pings that lost a number to another process. */
async function claimPicks(allocating: Allocating, picks: readonly Pick[], now: number): Promise<Serving[]> {
  const lost: Serving[] = [];
  try {
    await keepRequests(
      allocating.database,
      picks.map(({ serving }) => serving),
    );
    for (const holdMs of new Set(picks.map((pick) => pick.holdMs))) {
      const rested = picks.filter((pick) => pick.holdMs === holdMs);
      lost.push(...(await claimRested(allocating, rested, now - holdMs)));
    }
  } catch (error) {
    for (const { serving, number, releasedAt } of picks)
      allocating.setReleased(serving.wanted.orgId, number, releasedAt);
    throw error;
  }
  return lost;
}

async function claimRested(allocating: Allocating, picks: readonly Pick[], releasedBy: number): Promise<Serving[]> {
  const had = await claim(allocating.database, picks.map(toClaim), releasedBy);
  const lost: Serving[] = [];
  for (const pick of picks) {
    const { serving, place, number } = pick;
    const { orgId } = serving.wanted;
    if (!had.has(keyOf(toClaim(pick)))) lost.push(serving);
    else {
      serving.numbers[place] = number;
      allocating.setReleased(orgId, number, serving.expiresAt);
    }
  }
  return lost;
}

function toClaim({ serving: { wanted, expiresAt }, place, number }: Pick): Claim {
  const { caller, request_id: requestId } = wanted.request;
  return { orgId: wanted.orgId, number, slot: "", caller, requestId, place, expiresAt };
}
