import { findMeasure, findQuantity } from "../../catalog/catalog.ts";
import { addFilter, addMeasure, after, hasRole, type Reading, senseAs, use } from "./reading.ts";

/** "Calls with no revenue", "calls with 0 payout", "publishers without any revenue": nothing was made of them. */
export function readZero(reading: Reading): void {
  for (const index of reading.items.keys()) {
    if (reading.used.has(index) || !saysNone(reading, index)) continue;
    const at = after(reading, index, "all");
    const field = moneyAt(reading, at);
    const head = headOf(reading, index);
    if (field === undefined || head === undefined) continue;
    const none = { field, op: "at_most", values: [0] } as const;
    const ofGroup = head === "group" && findMeasure(reading.subject, field) !== undefined;
    if (ofGroup) {
      addMeasure(reading, field);
      reading.draft.having.push({ ...none, values: [0] });
    } else addFilter(reading, { ...none, values: [0] }, index);
    use(reading, index, at);
  }
}

const saysNone = (reading: Reading, index: number): boolean => {
  const item = reading.items[index];
  if (item?.kind === "number") return item.value === 0 && (item.unit === null || item.unit === "money");
  return hasRole(reading, index, "not") && /^(no|without)$/i.test(item?.said ?? "");
};

/**
 * The noun that opens the question has none: of "publishers with 20 calls but no revenue" the publishers. undefined where
 * another one stands between: "calls by publisher without revenue".
 */
export function headOf(reading: Reading, index: number): "group" | "row" | undefined {
  const nouns = reading.items.slice(0, index).flatMap((_, at) => kindAt(reading, at) ?? []);
  const [first] = nouns;
  return first === "row" && nouns.includes("group") ? undefined : first;
}

export function kindAt(reading: Reading, at: number): "group" | "row" | undefined {
  const { aggregate } = findMeasure(reading.subject, senseAs(reading, at, "measure")?.name ?? "") ?? {};
  if (senseAs(reading, at, "subject") !== undefined || aggregate?.kind === "count") return "row";
  return (senseAs(reading, at, "dimension") ?? senseAs(reading, at, "grain")) === undefined ? undefined : "group";
}

/** An amount that each record has. */
function moneyAt(reading: Reading, at: number): string | undefined {
  const name = senseAs(reading, at, "quantity")?.name ?? senseAs(reading, at, "measure")?.name ?? "";
  const found = findQuantity(reading.subject, name);
  return found?.unit === "money" ? found.name : undefined;
}
