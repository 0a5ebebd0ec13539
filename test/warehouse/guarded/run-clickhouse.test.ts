import { openClickhouseWarehouse } from "../../../warehouse/warehouse-clickhouse.ts";
import { fillExample } from "../../assistant/example-data.ts";
import { connectChdb } from "../../chdb.ts";
import { describeGuard } from "../../contract/guarded-select.ts";
import { wantedOfClickhouse } from "./wanted.ts";

describeGuard("ClickHouse", {
  async open() {
    const connection = await connectChdb();
    const guardConnection = await connectChdb();
    const warehouse = openClickhouseWarehouse({ connection }, { guardConnection });
    await fillExample(warehouse);
    return warehouse;
  },
  wanted: wantedOfClickhouse,
  endless:
    "SELECT count(*) FROM calls AS a, calls AS b, calls AS c, calls AS d, calls AS e WHERE a.duration + b.duration + c.duration + d.duration + e.duration < 0",
});
