import { expect, it } from "vitest";
import { signalSchema } from "../../ingest/signal.ts";
import { anAnswered } from "../make.ts";

it.each([
  ["0001-01-01T00:00:00Z", false],
  ["1999-12-31T23:59:59.999Z", false],
  ["2000-01-01", true],
  ["2099-12-31T23:59:59.999Z", true],
  ["2100-01-01T00:00:00Z", false],
  ["9999-12-31T23:59:59.999Z", false],
])("a signal of %s is one: %s", (at, isSignal) => {
  const parsed = signalSchema.safeParse({ ...anAnswered(), at });
  expect(parsed.success).toBe(isSignal);
  if (!isSignal)
    expect(parsed.error?.issues).toMatchObject([
      { path: ["at"], message: expect.stringContaining("years 2000 to 2099") },
    ]);
});
