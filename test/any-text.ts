import fc from "fast-check";

const character = fc
  .integer({ min: 0, max: 0x10_ff_ff })
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code));

/** Any text of whole characters, as fast-check's unit "binary" draws it; to make that costs a second each time. */
export const anyText = (constraints: fc.StringSharedConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: character });
