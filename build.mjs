import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

/**
 * Builds what runs, each part only where its inputs have changed since: the analysts' page in assistant/web/dist, and
 * dist/, which has the programs with the page and all files that they read. `node build.mjs page` builds the page alone.
 * Types are not checked: `npm run check` does that.
 */
const root = dirname(fileURLToPath(import.meta.url));
const folders = ["sql", "ingest", "warehouse", "assistant", "api"];
const tools = ["build.mjs", "package-lock.json", "tsconfig.json"];
/** Programs that others start, beside the commands of package.json. */
const started = ["warehouse/thread/thread", "warehouse/guarded/sql-process", "api/data-dir/integrity-check-process"];
const page = join("assistant", "web", "dist");
/** A package of its own, which `npm run client` builds. */
const client = join("api", "client");
/** A file in a built folder that tells its inputs. */
const stamp = ".built-from";

process.chdir(root);
try {
  await build(page, ["assistant", "ingest/time-zone.ts", ...tools], (into) => {
    run("vite/bin/vite.js", [
      "build",
      "--config",
      "assistant/web/vite.config.ts",
      "--logLevel",
      "warn",
      "--outDir",
      into,
    ]);
    for (const name of readdirSync(into, { recursive: true })) compress(join(into, name));
    keepEarlier(into);
  });
  if (process.argv[2] !== "page") {
    await build("dist", [...folders, ...tools, "package.json"], async (into) => {
      await bundle(into);
      for (const folder of folders) cpSync(folder, join(into, folder), { recursive: true, filter: isRead });
      cpSync(page, join(into, page), { recursive: true });
      // Tells the version.
      cpSync("package.json", join(into, "package.json"));
    });
  }
} catch (error) {
  process.stderr.write(`The build failed: ${error.message}\n`);
  process.exitCode = 1;
}

/** Makes a folder beside its place and moves it there whole: a build that fails leaves the folder as it was. */
async function build(folder, inputs, make) {
  const hash = hashOf(inputs);
  const current = join(folder, stamp);
  if (existsSync(current) && readFileSync(current, "utf8") === hash) return;
  process.stderr.write(`Building ${folder} …\n`);
  // As deep as its place: source maps name the sources by relative paths.
  const [made, old] = ["new", "old"].map((name) => join(root, dirname(folder), `.dist-${name}-${process.pid}`));
  try {
    await make(made);
    writeFileSync(join(made, stamp), hash);
    move(folder, old);
    move(made, folder);
  } finally {
    for (const path of [made, old]) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Puts the modules of each program, and those that several have, into few files: a start loads tens of them in place of some
 * seven hundred, half of its time. Packages stay where npm installs them.
 */
async function bundle(into) {
  const { rolldown } = await import("rolldown");
  const scripts = JSON.stringify(JSON.parse(readFileSync("package.json", "utf8")).scripts);
  const commands = [...scripts.matchAll(/ dist\/([\w/-]+)\.js/g)].map(([, name]) => name);
  const programs = [...new Set([...commands, ...started])];
  const bundled = await rolldown({
    input: Object.fromEntries(programs.map((name) => [name, `./${name}.ts`])),
    platform: "node",
    external: /^[^./]/,
    plugins: [{ name: "places", transform: { filter: { code: "import.meta.url" }, handler: atItsPlace } }],
  });
  await bundled.write({
    dir: into,
    format: "esm",
    sourcemap: true,
    // Node.js reads the maps as it loads the programs.
    sourcemapExcludeSources: true,
    entryFileNames: "[name].js",
    chunkFileNames: "api/parts/[name]-[hash].js",
  });
  await bundled.close();
}

/** A module finds files by its own place, and is in a file elsewhere now: two folders deep, as programs and their parts are. */
function atItsPlace(code, id) {
  const folder = relative(root, dirname(id));
  return { code: code.replaceAll("import.meta.url", `new URL("../../${folder}/", import.meta.url).href`), map: null };
}

/** Writes smaller copies beside a file of text, which clients get that accept them. */
function compress(file) {
  if (!/\.(js|css|html|svg)$/.test(file) || statSync(file).size < 1024) return;
  const content = readFileSync(file);
  writeFileSync(`${file}.br`, brotliCompressSync(content));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
}

/**
 * Copies the parts of earlier builds that an open page may still load: those of the build that is replaced, and all that
 * were built within a week. Their names hold a hash of what is in them.
 */
function keepEarlier(into) {
  const assets = join(page, "assets");
  if (!existsSync(assets)) return;
  const aWeekAgo = Date.now() - 7 * 24 * 60 * 60 * 1000;
  const replacedBuiltAt = statSync(join(page, "index.html")).mtimeMs - 60_000;
  for (const name of readdirSync(assets)) {
    const [from, to] = [join(assets, name), join(into, "assets", name)];
    if (existsSync(to) || statSync(from).mtimeMs < Math.min(aWeekAgo, replacedBuiltAt)) continue;
    cpSync(from, to, { preserveTimestamps: true });
  }
}

/** Of two builds at the same time one moves the folder, and what it moved there is good for both. */
function move(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(error.code)) throw error;
  }
}

function hashOf(inputs) {
  const sum = createHash("sha256");
  for (const file of inputs.flatMap(filesOf).sort()) sum.update(`\0${file}\0`).update(readFileSync(file));
  return sum.digest("hex");
}

function filesOf(path) {
  if (isBuilt(path)) return [];
  return statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesOf(join(path, name))) : [path];
}

function isBuilt(path) {
  return [page, client].includes(path) || basename(path).startsWith(".dist-");
}

/** Whether compiled code may read the file: all that is neither compiled nor the source of the page or the client. */
function isRead(path) {
  return path !== dirname(page) && path !== client && !path.endsWith(".ts");
}

/**
 * Runs a program that npm has installed; it writes to standard error alone. Whatever started the build: in a test's
 * NODE_ENV, the page would be one for development, larger and with the paths of this machine.
 */
function run(program, args) {
  const script = join(root, "node_modules", program);
  if (!existsSync(script)) throw new Error(`${program} is not installed: npm ci brings what builds.`);
  const { status, signal } = spawnSync(process.execPath, [script, ...args], {
    stdio: ["ignore", 2, 2],
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (status !== 0) throw new Error(`${program} ended with ${status ?? signal}.`);
}
