/** The partition of a key: FNV-1a over its UTF-8 bytes. It must never change, or one key's messages lose their order. */
export function partitionOf(key: string, partitions: number): number {
  if (partitions === 1) return 0;
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(key)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % partitions;
}
