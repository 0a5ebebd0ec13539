import { randomUUID } from "node:crypto";
import { Client } from "pg";

/** A PostgreSQL server where tests may create databases; `npm run test:services` starts one. */
export const testDatabaseUrl = process.env["TEST_DATABASE_URL"] || undefined;

/** An empty database of the test server. */
export async function createDatabase(): Promise<{ url: string; remove(): Promise<void> }> {
  if (testDatabaseUrl === undefined) throw new Error("TEST_DATABASE_URL is not set");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await onServer(`CREATE DATABASE ${name}`);
  const url = new URL(testDatabaseUrl);
  url.pathname = `/${name}`;
  return { url: url.href, remove: () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** Runs a statement beside the databases of the tests. */
export async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: testDatabaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
