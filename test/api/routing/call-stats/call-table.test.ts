import { expect, it } from "vitest";
import { createCallTable } from "../../../../api/routing/call-stats/call-table.ts";
import { aRecord, hour, today } from "./records.ts";

const ids = [
  "0199c0de-0000-7000-8000-000000000001",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "0199C0DE-0000-7000-8000-000000000001",
  "30313233-3435-3637-3839-616263646566",
  // The same bytes as the one above.
  "0123456789abcdef",
  "call-1",
  "",
  "sixteen letters!",
  "Zoë 東京 Ā",
];

it("a call is found by its id, whatever that is, with all that it was put with", () => {
  const calls = createCallTable();
  const records = ids.map((call_id, index) => aRecord({ call_id, caller: index, target_id: index % 2 ? null : "tgt" }));
  for (const record of records) calls.put(record);
  expect(ids.map((id) => calls.find(id))).toEqual(records);
  expect([calls.size(), calls.find("another")]).toEqual([ids.length, undefined]);
});

it("a call that is put again keeps its caller and its time", () => {
  const calls = createCallTable();
  calls.put(aRecord({ call_id: "a", caller: 1, at: today }));
  calls.put(aRecord({ call_id: "a", caller: 2, at: today + hour, version: 9, revenue: 5 }));
  expect(calls.find("a")).toMatchObject({ caller: 1, at: today, version: 9, revenue: 5 });
  expect([calls.ofCaller(1).length, calls.ofCaller(2).length]).toEqual([1, 0]);
});

it("hours that are removed take their calls along, and later calls take their place", () => {
  const calls = createCallTable();
  const put = (from: number) => {
    for (let index = 0; index < 300; index += 1) {
      calls.put(aRecord({ call_id: `${from + index}`, caller: 1 + (index % 3), at: today + (from + index) * 60_000 }));
    }
  };
  put(0);
  for (const each of calls.hours().slice(0, 4)) calls.removeHour(each);
  expect([calls.size(), calls.find("239"), calls.find("240")?.call_id]).toEqual([60, undefined, "240"]);
  put(300);
  expect([1, 2, 3].map((caller) => calls.ofCaller(caller).length)).toEqual([120, 120, 120]);
  const times = calls.ofCaller(2).map(({ at }) => at);
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  expect(calls.hours()).toEqual([4, 5, 6, 7, 8, 9].map((each) => today + each * hour));
});
