import { onTestFinished } from "vitest";
import { until } from "../ingest/log/kafka/rig.ts";
import { openGroups } from "../kafka-groups.ts";

/** Of each role its group, and a topic in which the group's place moves with its work. */
const workOf = {
  lifecycle: { group: "lifecycle", topic: "call-signals" },
  deliver: { group: "deliver", topic: "call-events" },
  load: { group: "loader", topic: "call-events" },
} as const;
export type WorkRole = keyof typeof workOf;
export const workRoles = Object.keys(workOf) as WorkRole[];

type ByRole<T> = Readonly<Record<WorkRole, T>>;
const byRole = async <T>(of: (role: WorkRole) => Promise<T>): Promise<ByRole<T>> =>
  Object.fromEntries(await Promise.all(workRoles.map(async (role) => [role, await of(role)] as const))) as ByRole<T>;

interface Place {
  readonly brokers: readonly string[];
  readonly prefix: string;
  readonly partitions: number;
}

/** Sees by the brokers' books who has which partitions of the roles' groups, and when work in them goes on. */
export async function watchTakeOver({ partitions, ...place }: Place) {
  const groups = await openGroups(place);
  onTestFinished(groups.close);
  const shares = (role: WorkRole) => groups.shares(workOf[role]);
  const committed = () => byRole((role) => groups.committed({ ...workOf[role], partitions }));

  /** What those members have in each role, when no partition is without a member; else null. */
  const partsOf = async (isOne: (role: WorkRole, id: string) => boolean): Promise<ByRole<number[]> | null> => {
    const found = await byRole(async (role) => {
      const all = [...(await shares(role))];
      const isWhole = all.flatMap(([, parts]) => parts).length === partitions;
      return isWhole ? all.filter(([id]) => isOne(role, id)).flatMap(([, parts]) => parts) : null;
    });
    return workRoles.every((role) => found[role] !== null) ? (found as ByRole<number[]>) : null;
  };

  return {
    /** Resolves when all is worked on; tells by whom. */
    async members(): Promise<ByRole<ReadonlySet<string>>> {
      await until(async () => (await partsOf(() => true)) !== null);
      return byRole(async (role) => new Set((await shares(role)).keys()));
    },
    /** Resolves when all is worked on, in each role some of it by those members and some by others; tells which by them. */
    async shared(members: ByRole<ReadonlySet<string>>): Promise<ByRole<number[]>> {
      for (;;) {
        const parts = await partsOf((role, id) => members[role].has(id));
        const isShared = (role: WorkRole) => [0, partitions].includes(parts?.[role].length ?? 0) === false;
        if (parts !== null && workRoles.every(isShared)) return parts;
      }
    },
    /** Makes work until some of it has been done in those partitions; how many ms that took in each role, from `since` on. */
    async firstWork(parts: ByRole<readonly number[]>, makeWork: () => Promise<void>, since = Date.now()) {
      const before = await committed();
      const tookMs: Partial<Record<WorkRole, number>> = {};
      while (workRoles.some((role) => tookMs[role] === undefined)) {
        await makeWork();
        const now = await committed();
        for (const role of workRoles) {
          const isDone = parts[role].some((part) => (now[role][part] ?? 0) > (before[role][part] ?? 0));
          if (isDone) tookMs[role] ??= Date.now() - since;
        }
      }
      return tookMs as ByRole<number>;
    },
  };
}
