import { openDuckdbWarehouse } from "../../../warehouse/warehouse-duckdb.ts";
import { fillExample } from "../../assistant/example-data.ts";
import { describeGuard } from "../../contract/guarded-select.ts";
import { wantedOfDuckdb, wantedTextsOfDuckdb } from "./wanted.ts";

describeGuard("DuckDB", {
  async open() {
    const warehouse = await openDuckdbWarehouse({ path: ":memory:" });
    await fillExample(warehouse);
    return warehouse;
  },
  wanted: [...wantedOfDuckdb, ...wantedTextsOfDuckdb],
  endless:
    "SELECT count(*) FROM calls AS a, calls AS b, calls AS c, calls AS d, calls AS e WHERE a.duration + b.duration + c.duration + d.duration + e.duration < 0",
});
