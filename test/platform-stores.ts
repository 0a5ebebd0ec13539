import { newClickhouseUrl } from "./clickhouse-server.ts";
import { createPrefix, testBrokers } from "./kafka-server.ts";
import { createDatabase, testDatabaseUrl } from "./postgres-server.ts";

/** Where a platform keeps what no other shall see: the settings that say so, and what makes an end of it. */
export interface PlatformStores {
  readonly settings: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/**
 * Stores for one platform on the services that the tests are given by TEST_DATABASE_URL, TEST_REDPANDA_BROKERS and
 * TEST_CLICKHOUSE_URL; what none of them keeps is kept in its folder.
 */
export async function openStores(): Promise<PlatformStores> {
  const stores: PlatformStores[] = [];
  if (testDatabaseUrl !== undefined) {
    const { url, remove } = await createDatabase();
    stores.push({ settings: { DATABASE_URL: url }, remove });
  }
  if (testBrokers !== undefined) {
    const { prefix, remove } = createPrefix();
    const settings = { REDPANDA_BROKERS: testBrokers, REDPANDA_TOPIC_PREFIX: prefix, REDPANDA_PARTITIONS: "2" };
    stores.push({ settings, remove });
  }
  const { TEST_CLICKHOUSE_URL, CLICKHOUSE_GUARD_USERNAME = "", CLICKHOUSE_GUARD_PASSWORD = "" } = process.env;
  if (TEST_CLICKHOUSE_URL) {
    const guard = CLICKHOUSE_GUARD_USERNAME === "" ? {} : { CLICKHOUSE_GUARD_USERNAME, CLICKHOUSE_GUARD_PASSWORD };
    const settings = { CLICKHOUSE_URL: await newClickhouseUrl(TEST_CLICKHOUSE_URL), ...guard };
    stores.push({ settings, remove: async () => undefined });
  }
  return {
    settings: Object.assign({}, ...stores.map(({ settings }) => settings)),
    async remove() {
      for (const { remove } of stores) await remove();
    },
  };
}
