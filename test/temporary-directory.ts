import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryDirectory {
  readonly path: string;
  remove(): Promise<void>;
}

export async function makeTemporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), "trunkline-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
