// @module-tag slow
import { openExampleWarehouse } from "../../assistant/example-data.ts";
import { describeGuard } from "../../contract/guarded-select.ts";
import { wantedOfDuckdb, wantedTextsOfDuckdb } from "./wanted.ts";

describeGuard("DuckDB", {
  open: openExampleWarehouse,
  wanted: [...wantedOfDuckdb, ...wantedTextsOfDuckdb],
  endless:
    "SELECT count(*) FROM calls AS a, calls AS b, calls AS c, calls AS d, calls AS e WHERE a.duration + b.duration + c.duration + d.duration + e.duration < 0",
});
