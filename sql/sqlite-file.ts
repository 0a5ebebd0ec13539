import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";

// SQLite's file and its log of writes (`-wal`), as https://www.sqlite.org/fileformat2.html has them. The engine takes a log that
// it cannot read for one of nobody: what was committed there last would be gone without a word.

const headBytes = 100;
const magic = "SQLite format 3\0";
const logHeadBytes = 32;
const frameHeadBytes = 24;
/** The magic number of a write-ahead log; its last bit tells if checksums are of big-endian words. */
const logMagic = 0x377f0682;

/** Says what is wrong with the file, as what goes on after its name. */
export class SqliteFileFault extends Error {
  override readonly name = "SqliteFileFault";
}

/** Throws `SqliteFileFault` where a file is none of SQLite's, is shorter than it says, or has a log that cannot be read. */
export function checkSqliteHead(path: string): void {
  const { head, size } = readHead(path);
  if (head.length < headBytes || head.toString("latin1", 0, magic.length) !== magic)
    throw new SqliteFileFault("does not begin as a SQLite file does");
  const pageBytes = toPageBytes(head.readUInt16BE(16));
  if (size % pageBytes !== 0) throw new SqliteFileFault(`is ${size} bytes long, no number of pages of ${pageBytes}`);
  const writtenAt = writingTime(`${path}-wal`);
  const log = readLog(`${path}-wal`);
  if (log !== null && log.length > 0) {
    try {
      checkLog(log, `${path}-wal`);
    } catch (error) {
      // Otherwise another process writes to it, which opening the file reports.
      if (writingTime(`${path}-wal`) === writtenAt) throw error;
    }
    return;
  }
  // The engine takes back what a process was killed at writing.
  if (existsSync(`${path}-journal`)) return;
  // A version that does not keep the count has written last where these differ.
  const isCounted = head.readUInt32BE(24) === head.readUInt32BE(92);
  const pages = head.readUInt32BE(28);
  if (isCounted && size < pages * pageBytes)
    throw new SqliteFileFault(`is ${size} bytes long, and says that it has ${pages} pages of ${pageBytes}`);
}

function readHead(path: string): { head: Buffer; size: number } {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(headBytes);
    return { head: head.subarray(0, readSync(file, head, 0, headBytes, 0)), size: fstatSync(file).size };
  } finally {
    closeSync(file);
  }
}

const writingTime = (path: string): bigint | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs;

function toPageBytes(given: number): number {
  const bytes = given === 1 ? 65_536 : given;
  if (bytes >= 512 && (bytes & (bytes - 1)) === 0) return bytes;
  throw new SqliteFileFault(`has pages of ${bytes} bytes`);
}

function readLog(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Throws if the log has no valid header, or if synced frames follow one that cannot be read. The last frames may be
 * truncated or torn by a crash: nobody relies on them. But everything after a commit was written when that commit was
 * on disk.
 */
function checkLog(log: Buffer, path: string): void {
  const wrong = (what: string) => new SqliteFileFault(`cannot be read whole: ${path} ${what}`);
  if (log.length < logHeadBytes || (log.readUInt32BE(0) & ~1) >>> 0 !== logMagic)
    throw wrong("does not begin as a log of writes does");
  const isBig = (log.readUInt32BE(0) & 1) === 1;
  let sums = checksum(log.subarray(0, 24), [0, 0], isBig);
  if (!sums.every((sum, index) => sum === log.readUInt32BE(24 + 4 * index))) throw wrong("has a damaged beginning");
  const salts = log.subarray(16, 24);
  const frameBytes = frameHeadBytes + toPageBytes(log.readUInt32BE(8) === 65_536 ? 1 : log.readUInt32BE(8));
  let broken: number | null = null;
  let isBehindCommit = false;
  for (let at = logHeadBytes; at + frameBytes <= log.length; at += frameBytes) {
    const frame = log.subarray(at, at + frameBytes);
    const isOfThisLog = frame.subarray(8, 16).equals(salts);
    if (broken === null) {
      sums = checksum(frame.subarray(frameHeadBytes), checksum(frame.subarray(0, 8), sums, isBig), isBig);
      if (isOfThisLog && sums.every((sum, index) => sum === frame.readUInt32BE(16 + 4 * index))) continue;
      broken = at;
    } else if (isOfThisLog) {
      if (isBehindCommit) throw wrong(`is damaged at byte ${broken}, and was written to beyond it`);
      isBehindCommit = frame.readUInt32BE(4) > 0;
    }
  }
}

type Sums = readonly [number, number];

/** Computes the checksum of an even number of words, continuing from the sums before. */
function checksum(bytes: Buffer, [first, second]: Sums, isBig: boolean): Sums {
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + b) >>> 0;
    b = (b + (isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + a) >>> 0;
  }
  return [a, b];
}
