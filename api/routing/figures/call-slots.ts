import { packCallId, unpackCallId } from "./call-names.ts";

/** Where each call stands: the slot of its id, one that was freed before a new one. */
export function createCallSlots() {
  const slots = new Map<string, number>();
  const packedIds: string[] = [];
  const free: number[] = [];

  return {
    size: (): number => slots.size,
    find: (callId: string): number | undefined => slots.get(packCallId(callId)),
    idOf: (slot: number): string => unpackCallId(packedIds[slot] ?? ""),
    /** For a call that has none. */
    take(callId: string): number {
      const slot = free.pop() ?? packedIds.length;
      const packed = packCallId(callId);
      packedIds[slot] = packed;
      slots.set(packed, slot);
      return slot;
    },
    free(slot: number): void {
      slots.delete(packedIds[slot] ?? "");
      packedIds[slot] = "";
      free.push(slot);
    },
  };
}
