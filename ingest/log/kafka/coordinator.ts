import type { Broker, Cluster } from "kafkajs";
import { kafkaTypeOf } from "./errors.ts";

/** The requests of a group's member, which kafkajs' types leave out. */
export interface GroupBroker extends Broker {
  joinGroup(request: {
    groupId: string;
    sessionTimeout: number;
    rebalanceTimeout: number;
    memberId: string;
    groupProtocols: readonly { name: string; metadata: Buffer }[];
  }): Promise<{
    generationId: number;
    leaderId: string;
    memberId: string;
    /** Told to the leader alone; empty for others. */
    members: readonly { memberId: string; memberMetadata: Buffer }[];
  }>;
  syncGroup(request: {
    groupId: string;
    generationId: number;
    memberId: string;
    groupAssignment: readonly { memberId: string; memberAssignment: Buffer }[];
  }): Promise<{ memberAssignment: Buffer }>;
  heartbeat(request: { groupId: string; groupGenerationId: number; memberId: string }): Promise<unknown>;
  leaveGroup(request: { groupId: string; memberId: string }): Promise<unknown>;
}

/** The coordinator has given the generation up: it accepts neither heartbeats nor commits of it. */
const lost = new Set(["UNKNOWN_MEMBER_ID", "ILLEGAL_GENERATION", "FENCED_INSTANCE_ID"]);
export const isLost = (error: unknown): boolean => lost.has(kafkaTypeOf(error) ?? "");

/** Partitions are about to be shared out anew: what is done may still be committed until the next join. */
export const isRebalancing = (error: unknown): boolean => kafkaTypeOf(error) === "REBALANCE_IN_PROGRESS";

/** The broker that keeps a group's members and offsets. */
export interface Coordinator {
  readonly group: string;
  /** Asks again where another broker may have become the coordinator. Throws kafkajs' errors. */
  ask<T>(question: (broker: GroupBroker) => Promise<T>): Promise<T>;
}

/** `group` is the group's name on the brokers. */
export function createCoordinator(cluster: Cluster, group: string): Coordinator {
  let known: string | null = null;
  const find = async (): Promise<GroupBroker> => {
    known ??= String((await cluster.findGroupCoordinatorMetadata({ groupId: group })).coordinator.nodeId);
    // Each time: of those who find it disconnected, only this lets one alone connect it again.
    return (await cluster.findBroker({ nodeId: known })) as GroupBroker;
  };
  return {
    group,
    async ask(question) {
      for (let attempt = 0; ; attempt++) {
        try {
          return await question(await find());
        } catch (error) {
          if (attempt === 1 || isLost(error) || isRebalancing(error)) throw error;
          known = null;
        }
      }
    },
  };
}
