import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { spawnCommand } from "./api/commands/run-command.ts";
import { spawnProcess, startProcess } from "./api/start-process.ts";
import { buildImage, type Image } from "./image.ts";
import { type Lock, productionPackages, readLock } from "./package-lock.ts";
import { createClient } from "./platform.ts";
import { temporaryFolder } from "./temporary.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folders = ["sql", "ingest", "warehouse", "assistant", "api"];

/** Paths of all files below a folder. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** What builds, checks, tests, or runs in a browser alone. */
const tools =
  /node_modules\/(@?(vite|vitest|rolldown|rollup|esbuild|oxc|swc|babel|webpack|postcss|terser|lightningcss|typescript|tsx|ts-node|biomejs|types|playwright|chdb|preact|vega)|oauth4webapi|fast-check)([/-]|$)/;

const toolsIn = (lock: Lock): string[] =>
  [...productionPackages(lock)].filter(([path]) => tools.test(path)).map(([, by]) => by.join(" > "));

describe("the packages of a production installation", () => {
  it("are of no build tool and none of the page's", () => {
    expect(productionPackages(readLock()).size).toBeGreaterThan(100);
    expect(toolsIn(readLock())).toEqual([]);
  });

  it("would be seen to have a tool, wherever it comes from", () => {
    const lock: Lock = {
      "": { dependencies: { express: "5", a: "1" } },
      "node_modules/express": {},
      "node_modules/a": { optionalDependencies: { b: "1" } },
      "node_modules/a/node_modules/b": { peerDependencies: { "@esbuild/linux-x64": "1", vite: "8", tsx: "4" } },
      "node_modules/@esbuild/linux-x64": { dev: true },
      "node_modules/a/node_modules/vite": { dependencies: { lightningcss: "1" } },
      "node_modules/lightningcss": {},
      "node_modules/typescript": { dev: true },
    };
    expect(toolsIn(lock)).toEqual(["a > b > @esbuild/linux-x64", "a > b > vite", "a > b > vite > lightningcss"]);
  });

  it("are those that the service imports, no more and no fewer", () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const sources = folders.flatMap((folder) => filesIn(join(root, folder)));
    const imported = sources
      .filter((file) => file.endsWith(".ts") && !/\/(assistant\/web|api\/client)\//.test(file))
      .flatMap((file) => packagesOf(readFileSync(file, "utf8")));
    // @langchain/openai leaves it to whoever uses it to install this one.
    expect([...new Set([...imported, "@langchain/core"])].sort()).toEqual(Object.keys(dependencies).sort());
  });

  it("are not asked for where a type alone is imported, and are where it is at run time", () => {
    const source =
      'import type { A } from "a";\nimport { type B, b } from "@b/c/d.js";\nawait import("e");\nimport "f/g";\nconst j = need(require("j"));';
    expect(packagesOf(`${source} import { h } from "./h.ts"; import i from "node:fs";`)).toEqual([
      "@b/c",
      "e",
      "f",
      "j",
    ]);
  });
});

/** Names of the packages that a module imports when it runs. */
function packagesOf(source: string): string[] {
  const code = source.replaceAll(/^(import|export) type .*$/gm, "");
  const named = /(?:^|[\s;}(])(?:from\s*|(?:import|require)\s*\(?\s*)"((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[\w./-]+)?"/g;
  return [...code.matchAll(named)].map(([, name]) => String(name)).filter((name) => !name.startsWith("node:"));
}

/** Packages that a module brings with it when it is loaded, by way of other modules too, but for those that it imports later. */
function packagesLoadedBy(entries: readonly string[], read: (file: string) => string): Set<string> {
  const files = new Set(entries);
  const packages = new Set<string>();
  for (const file of files) {
    const source = read(file).replaceAll(/\b(?:import|require)\s*\(/g, "later(");
    for (const each of packagesOf(source)) packages.add(each);
    const code = source.replaceAll(/^(import|export) type .*$/gm, "");
    for (const [, path = ""] of code.matchAll(/\bfrom\s*"(\.\.?\/[^"]+)"/g)) files.add(join(dirname(file), path));
  }
  return packages;
}

describe("a start", () => {
  it("loads no driver of what the settings do not name, and nothing that a few requests alone need", () => {
    const entries = ["api/commands/start.ts", "api/compose.ts"];
    const packages = packagesLoadedBy(entries, (file) => readFileSync(join(root, file), "utf8"));
    expect(packages).toContain("express");
    const drivers = ["@clickhouse/client", "@duckdb/node-api", "kafkajs", "libsql", "lmdb", "pg"];
    const later = [...drivers, "@langchain/openai", "@modelcontextprotocol/server", "hyparquet-writer"];
    const found = [...packages].filter((name) => later.includes(name) || name.startsWith("@opentelemetry/"));
    expect(found).toEqual([]);
  });

  it("would be seen to load one", () => {
    const sources: Readonly<Record<string, string>> = {
      "a.ts": 'import { b } from "./b/b.ts";\nconst c = await import("./c.ts");',
      "b/b.ts": 'import type { E } from "../e.ts";\nexport { d } from "../d.ts";',
      "d.ts": 'import { Pool } from "pg";\nconst later = () => import("lmdb");',
    };
    expect(packagesLoadedBy(["a.ts"], (file) => sources[file] ?? "")).toEqual(new Set(["pg"]));
  });
});

describe("the image", { tags: ["slow"] }, () => {
  let image: Image;
  beforeAll(() => {
    image = buildImage();
  });
  afterAll(() => image.remove());
  const program = () => ({ cwd: image.folder, args: image.command.slice(1) });

  it("has compiled code, the page and no source", () => {
    const files = filesIn(join(image.folder, "dist")).map((file) => relative(image.folder, file));
    expect(readdirSync(image.folder).sort()).toEqual(["dist", "node_modules", "package-lock.json", "package.json"]);
    expect(files.filter((file) => /\.tsx?$/.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(["dist/api/commands/start.js", "dist/assistant/web/dist/index.html"]));
  });

  it("has every file that its code names by a path from itself", () => {
    const code = folders.flatMap((folder) => filesIn(join(image.folder, "dist", folder)));
    const named = code.flatMap((file) => (isOurs(file) ? filesNamedIn(file, readFileSync(file, "utf8")) : []));
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter(({ paths }) => !paths.some(existsSync))).toEqual([]);
  });

  it("starts no process or thread from a source", () => {
    const code = folders.flatMap((folder) => filesIn(join(image.folder, "dist", folder))).filter(isOurs);
    expect(code.flatMap((file) => sourcesNamedIn(readFileSync(file, "utf8")))).toEqual([]);
    expect(sourcesNamedIn('fork(is(".ts") ? "./a.ts" : "./a.js"); spawn("node", [join(here, "b.ts")]);')).toEqual([
      "b.ts",
    ]);
  });

  it("would be seen to lack one", () => {
    const here = 'new URL("../../a/", import.meta.url).href';
    const [worker] = filesNamedIn("/app/dist/x/y/b.js", `new Worker(new URL("./worker.ts", ${here}))`);
    expect(worker?.paths).toEqual(["/app/dist/a/worker.ts"]);
    const either = `new URL(${here}.endsWith(".ts") ? "c.ts" : "../c.js",\n ${here})`;
    expect(filesNamedIn("/app/dist/x/y/b.js", either)[0]?.paths).toEqual(["/app/dist/a/c.ts", "/app/dist/c.js"]);
  });

  it("starts with its packages alone, takes a key and a token of its commands, and serves all there is", async () => {
    const DATA_DIR = temporaryFolder();
    const settings = { ...image.environment, DATA_DIR, HOST: "127.0.0.1", PORT: "0", LOCAL_ISSUER: "true" };
    const keys = async (...args: string[]) => {
      const { code, out, err } = await spawnCommand("keys", { args, settings, installation: image.folder });
      expect([code, err]).toEqual([0, expect.any(String)]);
      return out;
    };
    const key = /tl_[\w-]+/.exec(await keys("create", "--org", "Acme", "--new-org", "--admin"))?.[0] ?? "";
    const token = (await keys("token", "--org", "Acme", "--user", "ann")).trim();

    const { url, end } = await startProcess(settings, program());
    for (const path of [
      "/healthz",
      "/readyz",
      "/metrics",
      "/",
      "/openapi.json",
      "/docs",
      "/docs/assets/swagger-ui.css",
    ])
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200]);
    const { get, ask, call } = createClient(url);
    expect((await get("/api/v1/targets", key)).status).toBe(200);
    expect((await ask("calls today", token)).status).toBe(200);
    // A process of its own runs it.
    const own = await call(
      "POST",
      "/reporting_ai/sql",
      { Authorization: `Bearer ${token}` },
      { sql: "SELECT 1 AS one" },
    );
    expect(own).toMatchObject({ status: 200, body: { rows: [{ one: 1 }] } });
    expect(await end("SIGTERM")).toBe(0);
  });

  it("tells of errors by the lines of the sources", async () => {
    const settings = { ...image.environment, DATA_DIR: temporaryFolder(), PORT: "many" };
    const { ended, lines } = spawnProcess(settings, program());
    expect(await ended).toBe(1);
    expect(lines.at(-1)).toMatchObject({ err: { stack: expect.stringMatching(/api\/settings\/settings\.ts:\d+/) } });
  });

  describe("is built by a command that", () => {
    const build = () => spawnSync(process.execPath, ["build.mjs"], { cwd: image.buildFolder, encoding: "utf8" });
    const builtAt = () => statSync(join(image.buildFolder, "dist")).ctimeMs;

    it("does nothing where nothing has changed", () => {
      const before = builtAt();
      expect(build()).toMatchObject({ status: 0, stdout: "", stderr: "" });
      expect(builtAt()).toBe(before);
    });

    it("builds what has changed", () => {
      appendFileSync(join(image.buildFolder, "sql/migrate.ts"), '\nprocess.emit("added");\n');
      expect(build()).toMatchObject({ status: 0, stdout: "" });
      const built = filesIn(join(image.buildFolder, "dist")).filter(isOurs);
      expect(built.filter((file) => readFileSync(file, "utf8").includes('process.emit("added")'))).toHaveLength(1);
    });

    it("keeps the parts of the page that open pages may still load, for a week", () => {
      const page = join(image.buildFolder, "assistant", "web", "dist");
      const monthAgo = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000);
      for (const name of ["earlier-1.js", "ancient-2.js"]) writeFileSync(join(page, "assets", name), name);
      utimesSync(join(page, "assets", "ancient-2.js"), monthAgo, monthAgo);
      appendFileSync(join(image.buildFolder, "assistant/web/format.ts"), "\nexport const added = 1;\n");
      expect(build()).toMatchObject({ status: 0, stdout: "" });
      for (const folder of [page, join(image.buildFolder, "dist", "assistant", "web", "dist")])
        expect(readdirSync(join(folder, "assets")).filter((name) => /^(earlier|ancient)-/.test(name))).toEqual([
          "earlier-1.js",
        ]);
    });

    it("fails where it cannot build, says why, and leaves what was built", () => {
      const before = builtAt();
      appendFileSync(join(image.buildFolder, "sql/migrate.ts"), "\nexport const = 1;\n");
      const { status, stderr } = build();
      expect([status, stderr]).toEqual([1, expect.stringMatching(/The build failed: [\s\S]*sql\/migrate\.ts/)]);
      expect(builtAt()).toBe(before);
      expect(readdirSync(image.buildFolder).filter((name) => name.startsWith(".dist-"))).toEqual([]);
    });
  });
});

/** Files of TypeScript that a compiled module names, other than beside what they are compiled to. */
const sourcesNamedIn = (code: string): string[] =>
  [...code.matchAll(/"([^"\s]+)\.ts"/g)].flatMap(([, name]) => (code.includes(`"${name}.js"`) ? [] : [`${name}.ts`]));

const isOurs = (file: string): boolean => file.endsWith(".js") && !file.includes("/assistant/web/");

/** Where compiled code looks for files, by `new URL("…", …)` from the place of its source; one of each is to be there. */
function filesNamedIn(file: string, code: string): { readonly paths: readonly string[] }[] {
  const place = /new URL\("([^"]+)",\s*import\.meta\.url\)\.href/g;
  const placed = code.replaceAll(place, (_, folder: string) => `<${join(dirname(file), folder)}>`);
  return [...placed.matchAll(/new URL\(([^;]+?),\s*<([^>]+)>\)/g)].map(([, expression = "", folder = ""]) => ({
    paths: [...expression.matchAll(/["`]([^"`$]*)(?:\$[^"`]*)?["`]/g)].flatMap(([, name = ""]) =>
      /^\.[a-z]+$/.test(name) ? [] : [join(folder, name)],
    ),
  }));
}
