import { newClickhouseUrl, testClickhouseUrl } from "./clickhouse-database.ts";
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
  if (testClickhouseUrl !== undefined) {
    stores.push({ settings: { CLICKHOUSE_URL: newClickhouseUrl() }, remove: async () => undefined });
  }
  return {
    settings: Object.assign({}, ...stores.map(({ settings }) => settings)),
    async remove() {
      for (const { remove } of stores) await remove();
    },
  };
}
