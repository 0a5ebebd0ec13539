import { openDuckdbDatabase } from "../../../api/database/database-duckdb.ts";
import { describeDatabase } from "../../contract/database.ts";

describeDatabase({
  name: "DuckDB",
  prepare: async () => () => openDuckdbDatabase({ path: ":memory:" }),
  oneHandleBecause: "its file belongs to one process",
});
