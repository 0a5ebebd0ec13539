/**
 * What an earlier call must share with this one, beside its caller, to make it a duplicate (semantics 8.10). The
 * specification says of `conversion_scope` no more than that it is an integer: here it is a sum of 1 for the caller,
 * which is always shared, 2 for the destination, 4 for the publisher, 8 for the campaign and 16 for the buyer. So 10 is
 * this destination in this campaign, and 24 any destination of this buyer in this campaign.
 */
const bits = { destination: 2, publisher: 4, campaign: 8, buyer: 16 } as const;
export type Shared = keyof typeof bits;

/** Bits from 32 on mean nothing yet, and are left out by the remainder; numbers may be too large for operators on bits. */
const meaningful = 32;

/** What a scope asks to be shared; nothing where it names the caller alone, or nobody. */
export function toShared(scope: number): readonly Shared[] {
  const known = scope % meaningful;
  return (Object.keys(bits) as Shared[]).filter((shared) => (known & bits[shared]) !== 0);
}

/** Whether a scope says nothing at all. */
export const isOff = (scope: number): boolean => scope % meaningful === 0;
