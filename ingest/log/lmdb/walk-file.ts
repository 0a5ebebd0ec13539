import { closeSync, fstatSync, openSync, readSync } from "node:fs";

// The layout of LMDB's data file, version 2, on a machine of 64 bits, as lmdb's liblmdb/mdb.c has it. The engine maps the file
// and follows its page numbers unchecked: a damaged one ends the process by a signal.

const headerBytes = 24;
const metaBytes = headerBytes + 144;
const magic = 0xbeefc0de;
const dataVersion = 2;
const noPage = 2n ** 64n - 1n;
const pageFlags = { branch: 0x01, leaf: 0x02, overflow: 0x04, meta: 0x08 };
const nodeFlags = { overflow: 0x01, tree: 0x02 };
const nodeHeadBytes = 8;
const treeBytes = 48;
const overflowBytes = 24;
const deepest = 32;

/** A B-tree of the file; of one without a page `root` is null. */
interface Tree {
  readonly depth: number;
  readonly entries: number;
  readonly root: number | null;
}

interface Meta {
  readonly pageBytes: number;
  readonly free: Tree;
  readonly main: Tree;
  readonly lastPage: number;
  readonly transaction: bigint;
}

/** Says what is wrong with the file, as what goes on after its name. */
export class LogFileFault extends Error {
  override readonly name = "LogFileFault";
}

type Read = (position: number, bytes: number) => Buffer;

/** Reads what the file says of itself in its first two pages. Throws `LogFileFault`. */
export function checkLogHead(path: string): void {
  withFile(path, (read, size) => {
    const { pageBytes, free, main } = readMeta(read);
    // Not its last page: free ones at the end need not be in the file.
    for (const { root } of [free, main])
      if (root !== null && size < (root + 1) * pageBytes)
        throw new LogFileFault(`ends at byte ${size}, before page ${root} that it begins with`);
  });
}

/** Follows every page that the file's trees name, and the list of free ones. Throws `LogFileFault`. */
export function walkLogFile(path: string): void {
  withFile(path, (read, size) => {
    for (;;) {
      const meta = readMeta(read);
      try {
        walk(meta, read, size);
        return;
      } catch (error) {
        // Another process may have written over the pages that were being read: then they are read again.
        if (readMeta(read).transaction === meta.transaction) throw error;
      }
    }
  });
}

function withFile<T>(path: string, work: (read: Read, size: number) => T): T {
  const file = openSync(path, "r");
  try {
    return work((position, bytes) => {
      const buffer = Buffer.allocUnsafe(bytes);
      const count = readSync(file, buffer, 0, bytes, position);
      if (count < bytes) throw new LogFileFault(`ends at byte ${position + count}, within what it refers to`);
      return buffer;
    }, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

function readMeta(read: Read): Meta {
  const first = parseMeta(read(0, metaBytes));
  const second = parseMeta(read(first.pageBytes, metaBytes));
  return first.transaction >= second.transaction ? first : second;
}

function parseMeta(bytes: Buffer): Meta {
  if ((bytes.readUInt16LE(18) & pageFlags.meta) === 0 || bytes.readUInt32LE(24) !== magic)
    throw new LogFileFault("does not begin as a log does");
  const version = bytes.readUInt32LE(28) & 0xffff;
  if (version !== dataVersion) throw new LogFileFault(`is of version ${version} of its format, not ${dataVersion}`);
  const pageBytes = bytes.readUInt32LE(48);
  if (pageBytes < 512 || pageBytes > 65_536 || (pageBytes & (pageBytes - 1)) !== 0)
    throw new LogFileFault(`has pages of ${pageBytes} bytes`);
  const lastPage = Number(bytes.readBigUInt64LE(144));
  const [free, main] = [parseTree(bytes, 48, lastPage), parseTree(bytes, 96, lastPage)];
  return { pageBytes, free, main, lastPage, transaction: bytes.readBigUInt64LE(152) };
}

function parseTree(bytes: Buffer, at: number, lastPage: number): Tree {
  const root = bytes.readBigUInt64LE(at + 40);
  const depth = bytes.readUInt16LE(at + 6);
  const entries = Number(bytes.readBigUInt64LE(at + 32));
  if (root === noPage) return { depth, entries, root: null };
  if (depth === 0 || depth > deepest || root < 2n || root > lastPage)
    throw new LogFileFault(`has a tree of depth ${depth} at page ${root}, of ${lastPage + 1} pages`);
  return { depth, entries, root: Number(root) };
}

function walk(meta: Meta, read: Read, size: number): void {
  const { pageBytes, lastPage } = meta;
  const pages = Math.min(lastPage + 1, Math.floor(size / pageBytes));
  const seen = new Uint8Array(pages);

  /** A page is named once: by one node, or as free. */
  function take(page: number, count: number): void {
    if (page < 2 || page + count > pages)
      throw new LogFileFault(`refers to page ${page + count - 1}, and has ${pages}`);
    for (let each = page; each < page + count; each++) {
      if (seen[each] === 1) throw new LogFileFault(`refers to page ${each} twice`);
      seen[each] = 1;
    }
  }

  function readPage(page: number, flags: number): Buffer {
    take(page, 1);
    const bytes = read(page * pageBytes, pageBytes);
    if (bytes.readBigUInt64LE(0) !== BigInt(page) || bytes.readUInt16LE(18) !== flags)
      throw new LogFileFault(`holds something else at page ${page}`);
    return bytes;
  }

  function walkTree({ root, depth }: Tree, onValue: (node: Node, read: () => Buffer) => void): void {
    if (root !== null) visit(root, depth);

    function visit(page: number, levels: number): void {
      const isLeaf = levels === 1;
      const bytes = readPage(page, isLeaf ? pageFlags.leaf : pageFlags.branch);
      const count = bytes.readUInt16LE(20) >> 1;
      if (count === 0 || headerBytes + 2 * count > pageBytes) throw unusable(page);
      for (let index = 0; index < count; index++) {
        const at = headerBytes + bytes.readUInt16LE(headerBytes + 2 * index);
        if (at + nodeHeadBytes > pageBytes) throw unusable(page);
        const node = parseNode(bytes, at);
        if (!isLeaf) visit(node.child, levels - 1);
        else onValue(node, () => readValue(node, page));
      }
    }
  }

  function readValue(node: Node, page: number): Buffer {
    const { bytes, valueAt, valueBytes, flags } = node;
    if ((flags & nodeFlags.overflow) === 0) {
      if (valueAt + valueBytes > pageBytes) throw unusable(page);
      return bytes.subarray(valueAt, valueAt + valueBytes);
    }
    if (valueAt + overflowBytes > pageBytes) throw unusable(page);
    const first = Number(bytes.readBigUInt64LE(valueAt));
    const count = Math.ceil((headerBytes + valueBytes) / pageBytes);
    const head = readPage(first, pageFlags.overflow);
    if (head.readUInt32LE(20) !== count) throw unusable(first);
    take(first + 1, count - 1);
    return read(first * pageBytes + headerBytes, valueBytes);
  }

  const unusable = (page: number) => new LogFileFault(`has a page that cannot be read, ${page}`);

  walkTree(meta.main, ({ flags }, value) => {
    const bytes = value();
    if ((flags & nodeFlags.tree) === 0) return;
    if (bytes.length !== treeBytes) throw new LogFileFault(`describes a tree in ${bytes.length} bytes`);
    walkTree(parseTree(bytes, 0, lastPage), (_, record) => void record());
  });
  walkTree(meta.free, (_, value) => {
    for (const { page, count } of toFreePages(value(), lastPage)) {
      // Free pages at the end need not be in the file.
      if (page < pages) take(page, Math.min(count, pages - page));
    }
  });
}

interface Node {
  readonly bytes: Buffer;
  readonly flags: number;
  /** For branch nodes. */
  readonly child: number;
  readonly valueAt: number;
  readonly valueBytes: number;
}

function parseNode(bytes: Buffer, at: number): Node {
  const [low, high, flags] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2), bytes.readUInt16LE(at + 4)];
  const size = low + high * 0x10000;
  const valueAt = at + nodeHeadBytes + bytes.readUInt16LE(at + 6);
  return { bytes, flags, child: size + flags * 0x1_0000_0000, valueAt, valueBytes: size };
}

/** A count, then pages; before the first of a run stands its length, negative; 0 is a place that is not used. */
function toFreePages(bytes: Buffer, lastPage: number): { page: number; count: number }[] {
  const places = bytes.length < 8 ? 0 : Number(bytes.readBigUInt64LE(0));
  if (bytes.length < 8 || bytes.length < 8 * (places + 1))
    throw new LogFileFault("has a list of free pages that is cut");
  const free: { page: number; count: number }[] = [];
  for (let place = 1, count = 1; place <= places; place++) {
    const entry = Number(bytes.readBigInt64LE(8 * place));
    if (entry < 0) {
      count = -entry;
      continue;
    }
    if (entry !== 0) {
      if (entry < 2 || entry + count > lastPage + 1)
        throw new LogFileFault(`has ${count} free pages at ${entry}, of ${lastPage + 1}`);
      free.push({ page: entry, count });
    }
    count = 1;
  }
  return free;
}
