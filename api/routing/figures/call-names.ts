/** Texts that many calls share, each by a small number; 0 is null. */
export function createNames() {
  const texts: (string | null)[] = [null];
  const numbers = new Map<string, number>();
  return {
    toNumber(text: string | null): number {
      if (text === null) return 0;
      const known = numbers.get(text);
      if (known !== undefined) return known;
      numbers.set(text, texts.length);
      return texts.push(text) - 1;
    },
    /** Undefined for a text that no call has had. */
    find: (text: string): number | undefined => numbers.get(text),
    toText: (number: number): string | null => texts[number] ?? null,
  };
}
export type CallNames = ReturnType<typeof createNames>;

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
/** No byte of a packed id is this character. */
const plain = "\u0100";

/** A call id in less memory: a UUID as 16 characters of a byte each, anything else as it is behind a mark. */
export const packCallId = (id: string): string =>
  uuid.test(id) ? Buffer.from(id.replaceAll("-", ""), "hex").toString("latin1") : plain + id;

export function unpackCallId(packed: string): string {
  if (packed.startsWith(plain)) return packed.slice(1);
  const hex = Buffer.from(packed, "latin1").toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
