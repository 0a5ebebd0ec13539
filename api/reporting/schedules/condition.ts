import { z } from "zod";
import type { Answer, AnswerColumn } from "../../../assistant/answer.ts";
import type { Unit } from "../../../assistant/catalog/field.ts";
import { writeFigure } from "../../../assistant/phrasing/write-figure.ts";
import type { Row } from "../../../warehouse/warehouse.ts";

const operators = {
  above: { words: "above", holds: (figure: number, value: number) => figure > value },
  at_least: { words: "at least", holds: (figure: number, value: number) => figure >= value },
  below: { words: "below", holds: (figure: number, value: number) => figure < value },
  at_most: { words: "at most", holds: (figure: number, value: number) => figure <= value },
} as const;
const operatorNames = ["above", "at_least", "below", "at_most"] as const satisfies readonly (keyof typeof operators)[];

/** The condition of an alert, which tells when an answer begins to meet it and when it no longer does. */
export const conditionSchema = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("figure"),
      column: z.string().min(1).max(120).describe("A column of figures of the answer, such as conversion_rate."),
      operator: z.enum(operatorNames),
      value: z.number().describe("In the column's unit: US dollars, seconds, or percent from 0 to 100."),
    }),
    z.object({ kind: z.literal("rows") }).describe("The answer has a row."),
  ])
  .describe(
    "With a condition it is an alert: it is told when a row begins to meet it, and when none does any more. A figure that is unknown meets none.",
  );
export type Condition = z.infer<typeof conditionSchema>;
type Data = Pick<Answer["data"], "columns" | "rows">;

/** The rows that meet the condition. */
export function rowsThatMeet(condition: Condition, { rows }: Data): readonly Row[] {
  if (condition.kind === "rows") return rows as readonly Row[];
  const { column, operator, value } = condition;
  const meets = (row: Row) => typeof row[column] === "number" && operators[operator].holds(row[column], value);
  return (rows as readonly Row[]).filter(meets);
}

/** Names of an answer's columns that a condition can be about. */
export const figuresOf = ({ columns }: Pick<Data, "columns">): string[] =>
  columns.filter(({ type }) => type === "integer" || type === "number").map(({ name }) => name);

/** The unit of the condition's figure; null where it has none, or is about none of the columns. */
export const unitOf = (condition: Condition | null, columns: readonly AnswerColumn[]): Unit | null =>
  condition?.kind === "figure" ? (columns.find(({ name }) => name === condition.column)?.unit ?? null) : null;

/** The condition in words, such as "conversion rate below 20%". */
export function describeCondition(condition: Condition, unit: Unit | null): string {
  if (condition.kind === "rows") return "there is a row";
  const { column, operator, value } = condition;
  return `${column.replaceAll("_", " ")} ${operators[operator].words} ${writeFigure[unit ?? "number"](value)}`;
}
