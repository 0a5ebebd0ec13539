import { describe, expect, it } from "vitest";
import { cutChanges, diffDocuments, maskAddress } from "../../../api/config/audit-diff.ts";
import { definitionOf } from "../../../api/config/registry.ts";

const campaign = definitionOf("campaign");
const mebibyte = 1024 * 1024;
const row = (index: number, more: object = {}) => ({ id: `row-${index}`, number_id: `number-${index}`, ...more });
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index));
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe("the changes of a document", () => {
  it("are its fields that differ, whole where they are short", () => {
    const [old, changed] = [
      { name: "a", payout: 1, number_group_items: rows(2) },
      { name: "a", payout: 2 },
    ];
    expect(diffDocuments(campaign, old, changed)).toEqual([
      { field: "payout", old: 1, new: 2 },
      { field: "number_group_items", old: rows(2), new: null },
    ]);
  });

  it("are the rows that differ where there are very many, with how many do not", () => {
    const [before, pause] = [rows(10_000), { paused_at: "2026-01-01T00:00:00.000Z" }];
    const after = before.with(5000, row(5000, { pause })).slice(1).concat(row(10_000));
    const changes = diffDocuments(campaign, { number_group_items: before }, { number_group_items: after });
    const mark = { unchanged_rows: 9998 };
    expect(changes).toEqual([
      {
        field: "number_group_items",
        old: [row(0), row(5000), mark],
        new: [row(5000, { pause }), row(10_000), mark],
      },
    ]);
  });

  it("tell that a secret in one of very many rows is another, and not which", () => {
    const formulas = (headers: string) => ({ steps: [...rows(10_000), { id: "step", headers }] });
    expect(diffDocuments(definitionOf("rtb_formula"), formulas("one"), formulas("two"))).toEqual([
      {
        field: "steps",
        old: [{ id: "step", headers: "***" }, { unchanged_rows: 10_000 }],
        new: [{ id: "step", headers: "***" }, { unchanged_rows: 10_000 }],
      },
    ]);
  });

  it.each([
    ["plain letters", "x"],
    ["quotes", '"'],
    ["characters of three bytes", "京"],
  ])("of two whole bodies of %s are cut, with a mark, to what one message of the log takes", (_what, character) => {
    const caps = (more: number) => [{ type: character.repeat(mebibyte / 2), more }, { type: "calls" }];
    const changes = diffDocuments(
      campaign,
      { name: "old", advanced_caps: caps(1), tcpa_scrubbing: "a" },
      { name: "new", advanced_caps: caps(2), tcpa_scrubbing: "b" },
    );
    expect(bytesOf(changes)).toBeLessThan(0.9 * mebibyte);
    expect(changes.map(({ field }) => field)).toEqual(["name", "advanced_caps", "tcpa_scrubbing"]);
    expect(changes[0]).toEqual({ field: "name", old: "old", new: "new" });
    expect(changes[1]?.old).toMatch(/^\[{"type":.*\[cut\]$/s);
  });

  it("can be told as their fields alone", () => {
    const cut = { old: "[cut]", new: "[cut]" };
    expect(cutChanges([{ field: "name", old: "a", new: "b" }])).toEqual([{ field: "name", ...cut }]);
  });
});

describe("a secret", () => {
  it.each([
    ["target", { sip_headers: { "X-Token": "secret" }, sip_password: "secret" }],
    ["outgoing_webhook", { params: { token: "secret" }, headers: { a: "secret" }, body: { key: "secret" } }],
    ["rtb_formula", { steps: [{ query_params: [{ key: "k", value: "secret" }], raw_body: "secret" }] }],
    ["rtb_formula", { steps: [{ body_params: [{ key: "k", value: "secret" }], headers: [{ value: "secret" }] }] }],
    ["rtb_formula", { steps: [{ url: "https://bids.example/ping?token=secret" }] }],
    ["campaign", { tcpa_scrubbing_config: { api_key: "secret", api_url: "https://me:secret@a.example" } }],
  ] as const)("of a %s is not told: %j", (type, fields) => {
    const changes = diffDocuments(definitionOf(type), {}, fields);
    expect(changes).not.toEqual([]);
    expect(JSON.stringify(changes)).not.toContain("secret");
  });

  it.each([
    ["https://a.example/calls/[CALL_ID]", "https://a.example/calls/[CALL_ID]"],
    ["https://me:secret@a.example/c", "https://***@a.example/c"],
    ["https://secret@a.example", "https://***@a.example"],
    ["HTTPS://me:s@cret@a.example/x@y", "HTTPS://***@a.example/x@y"],
    ["https://a.example/c?token=secret&id=[CALL_ID]", "https://a.example/c?token=***&id=***"],
    ["https://a.example?secret", "https://a.example?***"],
    ["https://a.example/c?a=1?2&b=#secret", "https://a.example/c?a=***&b=***#***"],
    [" https://me:secret@a.example", " https://***@a.example"],
    ["calls: 5? yes@home", "calls: 5? yes@home"],
  ])("in the address %s is shown as %s", (address, shown) => {
    expect(maskAddress(address)).toBe(shown);
  });
});
