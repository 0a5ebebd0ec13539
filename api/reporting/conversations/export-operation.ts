import { z } from "zod";
import type { AnswerColumn } from "../../../assistant/answer.ts";
import type { Row } from "../../../warehouse/warehouse.ts";
import type { ColumnKind, ExportColumn } from "../../exports/columns.ts";
import { exportFormats, fileTypes } from "../../exports/formats.ts";
import { conflict, notFound } from "../../serve/errors.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import type { StreamAnswer } from "../../serve/send-stream.ts";
import { findMessage, type Message } from "./message-rows.ts";
import type { QueryDeps } from "./query-operation.ts";
import { type Owner, ownerOf } from "./session-rows.ts";

/** Rows of one file: 25 times what an answer shows. */
const mostRows = 50_000;

/** The rows of an answer as a file: the stored rows or, if they were too many, those of running its plan again. */
export const answerExportOperation = (deps: QueryDeps): Operation =>
  defineOperation({
    tag: "Reporting assistant",
    access: "user",
    limit: "assistant",
    method: "get",
    path: "/reporting_ai/messages/{message_id}/export",
    name: "exportAnswer",
    summary: `The rows of an answer as a file, up to ${mostRows}; those that were too many to keep are read again by the answer's plan`,
    params: z.object({ message_id: z.string().min(1).max(64) }),
    query: z.object({ format: z.enum(exportFormats).default("csv") }),
    status: 200,
    answer: z.string(),
    answerType: "file",
    errors: [404, 409, 503],
    async handle({ caller, params: { message_id: id }, query: { format }, signal }): Promise<StreamAnswer> {
      const owner = ownerOf(caller);
      const message = await findMessage(deps.database, owner, id);
      if (message === null) throw notFound(`The message ${id}`);
      const { columns, rows } = await rowsOf(deps, message, { owner, signal });
      const { contentType, isText, encoder } = fileTypes[format];
      const { begin, add, end } = await encoder(columns.map((column) => toColumn(column, rows)));
      async function* body() {
        yield begin();
        yield add(rows);
        yield end();
      }
      return { contentType, isText, fileName: `answer.${format}`, body: body() };
    },
  });

interface Asking {
  readonly owner: Owner;
  readonly signal: AbortSignal;
}

async function rowsOf({ assistant }: QueryDeps, { answer, rowsKept }: Message, { owner: { orgId }, signal }: Asking) {
  const { plan, data } = answer;
  if (rowsKept && !data.truncated) return data as { columns: AnswerColumn[]; rows: Row[] };
  if (plan === null)
    throw conflict("The rows of this answer were too many to keep, and no plan has led to it: ask again.");
  return assistant.rowsOf({ orgId, plan, maxRows: mostRows, signal });
}

const kinds: Readonly<Record<AnswerColumn["type"], ColumnKind>> = {
  text: "text",
  integer: "integer",
  number: "number",
  boolean: "boolean",
  time: "time",
  map: "json",
  json: "json",
};
const largestInteger = 2 ** 31 - 1;

/** A bucket's label such as "2026-10" is no instant, and a large whole number is more than a file's integers hold. */
function toColumn({ name, type }: AnswerColumn, rows: readonly Row[]): ExportColumn {
  const values = rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined);
  const kind = kinds[type];
  if (kind === "time" && !values.every((value) => /T.*Z$/.test(String(value)))) return { name, kind: "text" };
  const isLarge = kind === "integer" && values.some((value) => Math.abs(Number(value)) > largestInteger);
  return { name, kind: isLarge ? "number" : kind };
}
