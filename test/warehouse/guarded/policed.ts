import { createClickhouse } from "../../../sql/clickhouse.ts";
import { openClickhouseWarehouse } from "../../../warehouse/warehouse-clickhouse.ts";
import { fillExample } from "../../assistant/example-data.ts";
import { clickhouseDatabase } from "../../clickhouse-server.ts";
import { guard, keySetting, password, policedDatabase } from "../../services/clickhouse-users.ts";

/**
 * The example's data in the database of compose.yaml, where its user for analysts' SQL has row policies; whatever was there
 * before is gone.
 */
export async function openPoliced(onTrouble: (error: unknown) => void = () => undefined) {
  const options = await clickhouseDatabase(policedDatabase);
  const dropper = createClickhouse({ ...options, database: "default" });
  for (const name of [policedDatabase, `${policedDatabase}_no_tables`]) {
    await dropper.command({ query: `DROP DATABASE IF EXISTS ${name} SYNC` });
  }
  await dropper.close();
  const guardUser = { username: guard, password, keySetting };
  const warehouse = openClickhouseWarehouse(options, { guardUser, onTrouble });
  await fillExample(warehouse);
  return { options, warehouse };
}
