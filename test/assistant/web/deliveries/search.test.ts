import { expect, it } from "vitest";
import { incomingWebhook } from "../../../../api/config/resources/incoming-webhook.ts";
import { kinds, noSearch, readSearch, toHash, toParameters } from "../../../../assistant/web/deliveries/search.ts";
import { callEventNames } from "../../../../ingest/event.ts";

it("a search survives in the address, and what the address names wrongly is as at the beginning", () => {
  const search = { ...noSearch, text: "a&b = ü", status: "5xx", kind: "call.completed", hours: "", open: "id/1" };
  expect(readSearch(toHash(search).slice(1))).toEqual(search);
  const dated = { ...noSearch, status: "418", hours: "between", from: "2026-11-01T08:00", to: "2026-11-02T09:30" };
  expect(readSearch(toHash(dated).slice(1))).toEqual(dated);
  expect(readSearch("deliveries")).toEqual(noSearch);
  expect(readSearch("deliveries?hours=1&from=2026-11-01T08:00&status=600")).toEqual({ ...noSearch, hours: "1" });
  const faulty = "deliveries?hours=between&from=2026-13-01T08:00&to=yesterday";
  expect(readSearch(faulty)).toEqual({ ...noSearch, hours: "between" });
  expect(readSearch("deliveries?status=teapot&hours=-1&kind=nothing&direction=sideways")).toEqual(noSearch);
});

it("a search is asked for by the history's own parameters", () => {
  const nowMs = Date.parse("2026-11-02T15:00:00.000Z");
  const search = { ...noSearch, text: " crm ", status: "none", kind: "call.failure", hours: "1" };
  expect(toParameters(search, { nowMs, zone: "UTC", cursor: "c" })).toBe(
    "text=crm&response_status=none&start_date=2026-11-02T14%3A00%3A00.000Z&cursor=c&limit=50&event_type_id=call.failure",
  );
  expect(
    toParameters(
      { ...noSearch, direction: "incoming", kind: "call_data", hours: "" },
      { nowMs, zone: "UTC", cursor: null },
    ),
  ).toBe("limit=50&type=call_data");
});

it.each([
  [
    { from: "2026-11-01T08:00", to: "2026-11-02T09:30" },
    "start_date=2026-11-01T08%3A00%3A00.000Z&end_date=2026-11-02T09%3A30%3A00.000Z&",
  ],
  [
    { from: "2026-11-02T09:30", to: "2026-11-01T08:00" },
    "start_date=2026-11-01T08%3A00%3A00.000Z&end_date=2026-11-02T09%3A30%3A00.000Z&",
  ],
  [{ from: "2026-11-01T08:00", to: "" }, "start_date=2026-11-01T08%3A00%3A00.000Z&"],
  [{ from: "", to: "2026-11-01T08:00" }, "end_date=2026-11-01T08%3A00%3A00.000Z&"],
  [{ from: "", to: "" }, ""],
])("the span between two minutes is asked for, whichever is named first: %j", (ends, asked) => {
  const search = { ...noSearch, hours: "between", ...ends };
  expect(toParameters(search, { nowMs: 0, zone: "UTC", cursor: null })).toBe(`${asked}limit=50`);
});

it("every event and every type can be sought", () => {
  expect(new Set(kinds.outgoing)).toEqual(new Set(callEventNames));
  expect(kinds.incoming).toEqual(incomingWebhook.writable.shape.type.unwrap().options);
});
