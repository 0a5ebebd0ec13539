import { openSqliteDatabase } from "../../../api/database/database-sqlite.ts";
import { describeDatabase } from "../../contract/database.ts";

describeDatabase({
  name: "SQLite",
  prepare: async () => () => openSqliteDatabase({ path: ":memory:" }),
  oneHandleBecause: "its file belongs to one process",
});
