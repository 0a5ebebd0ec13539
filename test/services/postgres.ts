import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

export interface PostgresServer {
  readonly url: string;
  /** Ends it at once, with every connection to it. */
  kill(): void;
  /** On the same socket, with what it had. */
  startAgain(): void;
  stop(): void;
}

/** Starts a PostgreSQL server in a temporary folder, reached by a socket in it; it takes no port. */
export function startPostgres(): PostgresServer {
  const programs = findPrograms();
  const folder = mkdtempSync(join(tmpdir(), "trunkline-pg-"));
  const data = join(folder, "data");
  const user = unprivilegedUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(programs, program), args, { ...user, cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const kill = () => {
    if (existsSync(join(data, "postmaster.pid"))) run("pg_ctl", "stop", "-D", data, "-m", "immediate");
  };
  const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off -c max_connections=200`;
  const startAgain = () => run("pg_ctl", "start", "-w", "-D", data, "-l", join(folder, "server.log"), "-o", options);
  const stop = () => {
    kill();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    run("initdb", "-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-sync");
    startAgain();
  } catch (error) {
    stop();
    throw error;
  }
  const url = `postgresql:///postgres?host=${encodeURIComponent(folder)}&user=postgres`;
  return { url, kill, startAgain, stop };
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package has made. */
function unprivilegedUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (which: string) => Number(execFileSync("id", [which, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** The folder of `initdb` and `pg_ctl`: on the path, or where Debian's packages keep each version's. */
function findPrograms(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env["PATH"] ?? "").split(delimiter),
    ...versions.map((each) => join(debian, each, "bin")),
  ];
  const found = folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "pg_ctl")));
  if (found === undefined) {
    throw new Error(
      "PostgreSQL is missing: install it (Debian: apt-get install postgresql), or set TEST_DATABASE_URL.",
    );
  }
  return found;
}
