/**
 * The partition of a key: murmur2 over its UTF-8 bytes, as Kafka's clients have it by default, so that a foreign
 * producer puts a call's signals where ours are. It must never change, or one key's messages lose their order.
 */
export function partitionOf(key: string, partitions: number): number {
  if (partitions === 1) return 0;
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions;
}

const multiplier = 0x5bd1e995;

/** Kafka's hash, 32 bits with a sign. kafkajs has it in BigInt only, which takes 3 µs a key, and this 0.2. */
export function murmur2(bytes: Buffer): number {
  const whole = bytes.length & ~3;
  let hash = 0x9747b28c ^ bytes.length;
  for (let at = 0; at < whole; at += 4) {
    const word = Math.imul(bytes.readInt32LE(at), multiplier);
    hash = Math.imul(hash, multiplier) ^ Math.imul(word ^ (word >>> 24), multiplier);
  }
  for (let at = bytes.length - 1; at >= whole; at--) hash ^= (bytes[at] ?? 0) << (8 * (at - whole));
  if (whole < bytes.length) hash = Math.imul(hash, multiplier);
  hash = Math.imul(hash ^ (hash >>> 13), multiplier);
  return hash ^ (hash >>> 15);
}
