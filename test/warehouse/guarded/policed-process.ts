import { createClickhouse } from "../../../sql/clickhouse.ts";
import { police } from "../../../warehouse/guarded/police-clickhouse.ts";
import { keyTable } from "../../../warehouse/guarded/policies-clickhouse.ts";
import { raw } from "../../../warehouse/statement.ts";
import { openClickhouseWarehouse } from "../../../warehouse/warehouse-clickhouse.ts";
import { fillExample } from "../../assistant/example-data.ts";
import { database, keySetting, openPolicedEngine, type User, users } from "./policed-engine.ts";

// A process of its own, for the engine in one process has one set of users: it answers what the test asks by messages.

export interface Asked {
  readonly id: number;
  /** Whose rows a key is for; without one there is no key. */
  readonly orgId?: string;
  /** The owner, who also registers keys, a user behind all other layers, or the guard with all of them. */
  readonly as: "owner" | "insert" | "select" | User;
  readonly text: string;
}

const engine = await openPolicedEngine();
const connection = engine.connect();
const owner = createClickhouse({ connection });
await owner.command({ query: `USE ${database}` });
const guardUser = { username: "guard", password: "", keySetting };
const told: object[] = [];
const onTrouble = (error: unknown): void => {
  if (error instanceof Error) told.push({ message: error.message, cause: String(error.cause) });
};
const warehouse = openClickhouseWarehouse(
  { connection },
  { guardConnection: engine.connectAs("guard"), guardUser, onTrouble },
);
await fillExample(warehouse);

const readers = new Map(
  await Promise.all(
    users.map(async (user) => {
      const reader = createClickhouse({ connection: engine.connectAs(user) });
      const keys = await police({ ...{ owner, reader, user, database, setting: keySetting }, onTrouble });
      return [user, { reader, keys }] as const;
    }),
  ),
);

async function answer({ as, orgId, text }: Asked): Promise<unknown> {
  if (as === "owner") return (await warehouse.query(raw(text))).rows;
  if (as === "insert") return owner.command({ query: `INSERT INTO ${keyTable} ${text}` });
  if (as === "select") return (await warehouse.guarded.select({ orgId: orgId ?? "", text })).rows;
  const known = readers.get(as);
  const key = orgId === undefined ? { [keySetting]: "" } : await known?.keys(orgId);
  const found = await known?.reader.query({ query: text, format: "JSONEachRow", clickhouse_settings: key ?? {} });
  return found?.json();
}

process.on("message", (asked: Asked) => {
  const reply = (said: object) => process.send?.({ id: asked.id, ...said });
  answer(asked).then(
    (rows) => reply({ rows }),
    ({ code, message }) => reply({ code, message }),
  );
});
process.once("disconnect", () => process.exit());
process.send?.({ id: 0, rows: told });
