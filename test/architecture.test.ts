import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** Imports point one way: a folder knows itself and those to its left. */
const order = ["sql", "ingest", "warehouse", "assistant", "api"];
const topLevel = ["ingest", "warehouse", "assistant", "api", "sql", "test"];
const root = fileURLToPath(new URL("..", import.meta.url));

/** Paths by file, each relative to the root. Type imports, re-exports and dynamic imports count. */
type Sources = ReadonlyMap<string, string>;

function importsOf(file: string, source: string): string[] {
  const pattern = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.[^"']+)["']/g;
  return [...source.matchAll(pattern)].map(([, path]) => normalize(join(dirname(file), String(path))));
}

function findWrongWay(sources: Sources): string[] {
  return [...sources].flatMap(([file, source]) =>
    importsOf(file, source)
      .filter((imported) => rank(imported) > rank(file))
      .map((imported) => `${file} imports ${imported}`),
  );
}
const rank = (file: string): number => order.indexOf(file.split("/")[0] ?? "");

function findCycle(sources: Sources): string[] | null {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const imported of importsOf(file, sources.get(file) ?? "")) {
      const cycle = visit(imported, [...path, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return null;
  };
  for (const file of sources.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return null;
}

const openers = ["api/open-stores.ts", "api/open-planner.ts"];

/** Adapters are known to what opens those of the settings, and to commands that open one by themselves. */
function findAdapterImports(sources: Sources): string[] {
  const adapter =
    /(?:log-lmdb|log-kafka|warehouse-duckdb|warehouse-clickhouse|database-duckdb|database-postgres|planner-llm|model-openai)\.ts$/;
  return [...sources].flatMap(([file, source]) =>
    openers.includes(file) || file.startsWith("api/commands/")
      ? []
      : importsOf(file, source)
          .filter((imported) => adapter.test(imported))
          .map((imported) => `${file} imports ${imported}`),
  );
}

function readSources(): Sources {
  const files = order.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const code = files.filter((file) => /\.tsx?$/.test(file) && !file.includes("/dist/"));
  return new Map(code.map((file) => [relative(root, join(root, file)), readFileSync(join(root, file), "utf8")]));
}

describe("the folders", () => {
  const sources = readSources();

  it("import only themselves and those to their left", () => {
    expect(sources.size).toBeGreaterThan(50);
    expect(findWrongWay(sources)).toEqual([]);
  });

  it("have no cycle of imports", () => {
    expect(findCycle(sources)).toBeNull();
  });

  it("leave adapters to what opens the stores of the settings", () => {
    expect(findAdapterImports(sources)).toEqual([]);
  });

  it("are those of the design and no others", () => {
    const folders = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map(({ name }) => name)
      .filter((name) => !["node_modules", "data", "dist", "coverage"].includes(name));
    expect(folders.sort()).toEqual([...topLevel].sort());
  });
});

/** Of two that were numbered at the same time one would be taken for the other, edited. */
function findNumberedTwice(files: readonly string[]): string[] {
  const numberOf = (file: string): string => file.replace(/_[^/]*$/, "");
  const numbers = files.map(numberOf);
  return files.filter((file, index) => numbers.indexOf(numberOf(file)) < index);
}

describe("migrations", () => {
  it("have each a number of its own, for each engine of each store", () => {
    const files = readdirSync(join(root, "sql"), { recursive: true, encoding: "utf8" });
    const migrations = files.filter((file) => file.endsWith(".sql"));
    expect(migrations.length).toBeGreaterThan(20);
    expect(findNumberedTwice(migrations)).toEqual([]);
  });

  it("would be seen to share one", () => {
    const files = ["config/postgres/0001_a.sql", "config/duckdb/0001_a.sql", "config/postgres/0001_b_c.sql"];
    expect(findNumberedTwice(files)).toEqual(["config/postgres/0001_b_c.sql"]);
  });
});

describe("the check of the folders", () => {
  it("sees an import to the right, a type's too", () => {
    const sources = new Map([["ingest/a.ts", 'import type { B } from "../api/b.ts";']]);
    expect(findWrongWay(sources)).toEqual(["ingest/a.ts imports api/b.ts"]);
  });

  it("sees an import to the right that is made at run time or handed on", () => {
    const sources = new Map([
      ["sql/a.ts", 'const b = await import("../warehouse/b.ts");'],
      ["warehouse/c.ts", 'export { d } from "../assistant/d.ts";'],
    ]);
    expect(findWrongWay(sources)).toHaveLength(2);
  });

  it("sees a cycle", () => {
    const sources = new Map([
      ["ingest/a.ts", 'import { b } from "./b.ts";'],
      ["ingest/b.ts", 'import { a } from "./a.ts";'],
    ]);
    expect(findCycle(sources)).toEqual(["ingest/a.ts", "ingest/b.ts", "ingest/a.ts"]);
  });

  it("sees an adapter imported past it", () => {
    const sources = new Map([["api/routes.ts", 'import { open } from "../warehouse/warehouse-duckdb.ts";']]);
    expect(findAdapterImports(sources)).toHaveLength(1);
  });
});
