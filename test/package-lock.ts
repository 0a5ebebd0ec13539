import { readFileSync } from "node:fs";

/** What package-lock.json says of one package. */
export interface LockedPackage {
  /** Whether nothing but development needs it. */
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** By the path in which npm installs it; the project itself has an empty one. */
export type Lock = Readonly<Record<string, LockedPackage>>;

export const readLock = (): Lock =>
  JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")).packages;

/** Names of the packages that `dependencies` bring, each with those that led to it, beginning with the project's own. */
export function productionPackages(lock: Lock): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const waiting: { readonly path: string; readonly by: readonly string[] }[] = [{ path: "", by: [] }];
  for (const { path, by } of waiting) {
    const { dependencies, optionalDependencies, peerDependencies } = lock[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const installed = find(lock, path, name);
      if (installed === undefined || found.has(installed)) continue;
      found.set(installed, [...by, name]);
      waiting.push({ path: installed, by: [...by, name] });
    }
  }
  return found;
}

/** Where a package finds another one: in itself, or in the nearest folder above. */
function find(lock: Lock, path: string, name: string): string | undefined {
  for (let above = path; ; above = above.slice(0, Math.max(0, above.lastIndexOf("node_modules") - 1))) {
    const candidate = above === "" ? `node_modules/${name}` : `${above}/node_modules/${name}`;
    if (candidate in lock) return candidate;
    if (above === "") return undefined;
  }
}
