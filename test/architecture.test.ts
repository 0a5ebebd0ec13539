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

/** `place` is what a file counts as in the order; an unknown place stands above all. */
function findWrongWay(
  sources: Sources,
  { order, place }: { readonly order: readonly string[]; place(file: string): string | null },
): string[] {
  const rank = (file: string): number => {
    const at = order.indexOf(place(file) ?? "");
    return at < 0 ? order.length : at;
  };
  return [...sources].flatMap(([file, source]) =>
    place(file) === null
      ? []
      : importsOf(file, source)
          .filter((imported) => place(imported) !== null && rank(imported) > rank(file))
          .map((imported) => `${file} imports ${imported}`),
  );
}

const topFolders = { order, place: (file: string): string | null => file.split("/")[0] ?? null };

/** What lies in `api/`, lowest first; the files at its top, but for those named here, put the parts together. */
const rooms = {
  order: [
    "client",
    "conditions",
    "outbound",
    "metrics",
    "settings",
    "logging",
    "process",
    "tracing",
    "database",
    "data-dir",
    "serve",
    "mcp",
    "exports",
    "idempotency",
    "config",
    "auth",
    "app-context.ts",
    "routing",
    "telephony",
    "webhooks",
    "reporting",
    "the composition",
    "demo",
    "export-import",
    "fixtures",
    "commands",
  ],
  place(file: string): string | null {
    const [folder, room = ""] = file.split("/");
    if (folder !== "api") return null;
    return room.endsWith(".ts") && !rooms.order.includes(room) ? "the composition" : room;
  },
};

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function findCycle(graph: Graph): string[] | null {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): string[] | null => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle) return cycle;
  }
  return null;
}

/** By folder, which of what lies in it imports which: files, and folders with all that they hold. */
function graphsOf(sources: Sources): ReadonlyMap<string, Graph> {
  const graphs = new Map<string, Map<string, Set<string>>>();
  for (const [file, source] of sources) {
    for (const imported of importsOf(file, source)) {
      const [from, to] = [file.split("/"), imported.split("/")];
      const depth = from.findIndex((part, index) => part !== to[index]);
      if (depth < 0) continue;
      const folder = from.slice(0, depth).join("/");
      const graph = graphs.get(folder) ?? new Map<string, Set<string>>();
      const node = from[depth] ?? "";
      graphs.set(folder, graph.set(node, (graph.get(node) ?? new Set()).add(to[depth] ?? "")));
    }
  }
  return graphs;
}

/** Where two neighbours import each other, be it through others: nobody could say which stands on which. */
const findKnots = (sources: Sources): string[] =>
  [...graphsOf(sources)].flatMap(([folder, graph]) => {
    const cycle = findCycle(graph);
    return cycle === null ? [] : [`${folder}: ${cycle.join(" > ")}`];
  });

/** The embedded warehouse's thread opens it. */
const thread = "warehouse/thread/thread.ts";

/** Only `api/adapters.ts`, which opens those of the settings, commands and that thread import adapters. */
function findAdapterImports(sources: Sources): string[] {
  const adapter =
    /(?:log-lmdb|log-kafka|warehouse-duckdb|warehouse-clickhouse|database-sqlite|database-postgres|planner-llm|model-openai)\.ts$/;
  return [...sources].flatMap(([file, source]) =>
    file === "api/adapters.ts" || file === thread || file.startsWith("api/commands/")
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
  const code = files.filter((file) => /\.tsx?$/.test(file) && !/\/(dist|node_modules)\//.test(file));
  return new Map(code.map((file) => [relative(root, join(root, file)), readFileSync(join(root, file), "utf8")]));
}

describe("the folders", () => {
  const sources = readSources();

  it("import only themselves and those to their left", () => {
    expect(sources.size).toBeGreaterThan(50);
    expect(findWrongWay(sources, topFolders)).toEqual([]);
  });

  it("are, at every depth, laid so that no two neighbours import each other", () => {
    expect(graphsOf(sources).size).toBeGreaterThan(20);
    expect(findKnots(sources)).toEqual([]);
  });

  it("of the API import only those below them", () => {
    const places = [...sources.keys()].map(rooms.place).filter((place) => place !== null);
    expect([...new Set(places)].sort()).toEqual([...rooms.order].sort());
    expect(findWrongWay(sources, rooms)).toEqual([]);
  });

  it("leave adapters to api/adapters.ts", () => {
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
    const files = ["config/postgres/0001_a.sql", "config/sqlite/0001_a.sql", "config/postgres/0001_b_c.sql"];
    expect(findNumberedTwice(files)).toEqual(["config/postgres/0001_b_c.sql"]);
  });
});

describe("the check of the folders", () => {
  it("sees an import to the right, a type's too", () => {
    const sources = new Map([["ingest/a.ts", 'import type { B } from "../api/b.ts";']]);
    expect(findWrongWay(sources, topFolders)).toEqual(["ingest/a.ts imports api/b.ts"]);
  });

  it("sees an import to the right that is made at run time or handed on", () => {
    const sources = new Map([
      ["sql/a.ts", 'const b = await import("../warehouse/b.ts");'],
      ["warehouse/c.ts", 'export { d } from "../assistant/d.ts";'],
    ]);
    expect(findWrongWay(sources, topFolders)).toHaveLength(2);
  });

  it("sees an import of a room above, of the composition, and of a room that nobody has placed", () => {
    const sources = new Map([
      ["api/config/a.ts", 'import { b } from "../routing/b.ts";'],
      ["api/routing/c.ts", 'import { d } from "../compose.ts"; import { e } from "../attic/e.ts";'],
      ["api/compose.ts", 'import { f } from "./config/f.ts"; import { g } from "../assistant/g.ts";'],
    ]);
    expect(findWrongWay(sources, rooms)).toEqual([
      "api/config/a.ts imports api/routing/b.ts",
      "api/routing/c.ts imports api/compose.ts",
      "api/routing/c.ts imports api/attic/e.ts",
    ]);
  });

  it("sees two files that import each other", () => {
    const sources = new Map([
      ["ingest/a.ts", 'import { b } from "./b.ts";'],
      ["ingest/b.ts", 'import { a } from "./a.ts";'],
    ]);
    expect(findKnots(sources)).toEqual(["ingest: a.ts > b.ts > a.ts"]);
  });

  it("sees folders that import each other, where no file does, and by way of a third", () => {
    const sources = new Map([
      ["api/x/one/a.ts", 'import { b } from "../two/deep/b.ts";'],
      ["api/x/two/c.ts", 'import { d } from "../d.ts";'],
      ["api/x/d.ts", 'import { e } from "./one/e.ts";'],
    ]);
    expect(findKnots(sources)).toEqual(["api/x: one > two > d.ts > one"]);
  });

  it("sees an adapter imported past it", () => {
    const sources = new Map([["api/routes.ts", 'import { open } from "../warehouse/warehouse-duckdb.ts";']]);
    expect(findAdapterImports(sources)).toHaveLength(1);
  });
});
