import { AssignerProtocol } from "kafkajs";

/** What a member of a group says of itself, and what its leader answers: by this name they know each other's ways. */
export const assignmentName = "trunkline-by-topic";
/** Of the layout of kafkajs' encoding. */
const version = 0;

interface Member {
  readonly memberId: string;
  readonly topics: readonly string[];
}

/**
 * Shares each topic's partitions out over those members that want the topic: the members of a group are not all there
 * for the same one. The same members always get the same, so that a member that comes back finds what it had.
 */
export function assignPartitions(members: readonly Member[], partitions: number): Map<string, Map<string, number[]>> {
  const assigned = new Map(members.map(({ memberId }) => [memberId, new Map<string, number[]>()]));
  for (const topic of new Set(members.flatMap((member) => member.topics))) {
    const wanting = members.filter((member) => member.topics.includes(topic)).map(({ memberId }) => memberId);
    wanting.sort();
    for (let partition = 0; partition < partitions; partition++) {
      const byTopic = assigned.get(wanting[partition % wanting.length] ?? "");
      byTopic?.set(topic, [...(byTopic.get(topic) ?? []), partition]);
    }
  }
  return assigned;
}

export const encodeTopics = (topics: readonly string[]): Buffer =>
  AssignerProtocol.MemberMetadata.encode({ version, topics: [...topics], userData: Buffer.alloc(0) });

export const decodeTopics = (metadata: Buffer): readonly string[] =>
  AssignerProtocol.MemberMetadata.decode(metadata)?.topics ?? [];

export const encodeAssignment = (byTopic: ReadonlyMap<string, number[]>): Buffer =>
  AssignerProtocol.MemberAssignment.encode({
    version,
    assignment: Object.fromEntries(byTopic),
    userData: Buffer.alloc(0),
  });

/** The partitions of one topic. */
export const decodeAssignment = (assignment: Buffer, topic: string): readonly number[] =>
  AssignerProtocol.MemberAssignment.decode(assignment)?.assignment[topic] ?? [];
