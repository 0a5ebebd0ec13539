import { useState } from "preact/hooks";
import type { Column } from "../wire.ts";

/** A column of the call log that can be shown. */
export type CallColumn = Column & { readonly label: string };

const column = (
  name: string,
  label: string,
  type: Column["type"] = "text",
  unit: Column["unit"] = null,
): CallColumn => ({
  name,
  label,
  type,
  unit,
});
const seconds = (name: string, label: string) => column(name, label, "integer", "seconds");
const dollars = (name: string, label: string) => column(name, label, "number", "money");
const flag = (name: string, label: string) => column(name, label, "boolean");

/** All columns in the order in which they are shown. When and state always are: they lead to the call. */
export const callColumns: readonly CallColumn[] = [
  column("caller_id", "Caller"),
  column("caller_state", "State"),
  column("caller_zip", "ZIP"),
  column("number", "Number dialed"),
  column("campaign_name", "Campaign"),
  column("publisher_name", "Publisher"),
  column("buyer_name", "Buyer"),
  column("target_name", "Target"),
  seconds("duration", "Duration"),
  seconds("connect_duration", "Connected for"),
  seconds("ivr_duration", "In menus"),
  column("attempts", "Dials", "integer", "count"),
  column("termination_by", "Ended by"),
  dollars("revenue", "Revenue"),
  dollars("payout", "Payout"),
  dollars("profit", "Profit"),
  flag("converted", "Converted"),
  flag("is_duplicate", "Duplicate"),
  flag("repeat_caller", "Called before"),
  flag("revenue_overridden", "Corrected"),
  column("tcpa_result", "Do-not-call list"),
  column("tags", "Tags", "map"),
  column("call_id", "Call id"),
];

const usual: readonly string[] = [
  "caller_id",
  "campaign_name",
  "publisher_name",
  "buyer_name",
  "duration",
  "revenue",
  "payout",
];

const storageKey = "trunkline.call_columns";

const readChosen = (): readonly string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "null");
    if (!Array.isArray(stored)) return usual;
    return stored.filter((name) => callColumns.some((each) => each.name === name));
  } catch {
    return usual;
  }
};

/** Browsers may refuse to store: then the choice lasts as long as the page. */
const store = (names: readonly string[]): void => {
  try {
    localStorage.setItem(storageKey, JSON.stringify(names));
  } catch {
    // Nothing depends on it.
  }
};

/** The columns of the call log that this browser's user has chosen. */
export const useChosenColumns = () => {
  const [chosen, setChosen] = useState(readChosen);
  const choose = (names: readonly string[]): void => {
    store(names);
    setChosen(names);
  };
  return {
    columns: callColumns.filter(({ name }) => chosen.includes(name)),
    toggle: (name: string): void =>
      choose(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]),
    reset: (): void => choose(usual),
  };
};
