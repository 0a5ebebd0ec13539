import { isSpec, type Spec } from "./chart-spec.ts";
import { legendLayout, letterPx, maxNameWidth, namesOf } from "./legend-layout.ts";

/**
 * Short forms of the names that would look alike when cut at their ends, of at most so many letters (10 or more): they
 * are cut in the middle, so that what tells them apart stays.
 */
export const distinctNames = (names: readonly string[], mostLetters: number): ReadonlyMap<string, string> => {
  const cut = (name: string): string => (name.length <= mostLetters ? name : `${name.slice(0, mostLetters - 1)}…`);
  const alike = (name: string): readonly string[] => names.filter((other) => cut(other) === cut(name));
  const long = names.filter((name) => name.length > mostLetters && alike(name).length > 1);
  const short = new Map<string, string>();
  const taken = new Set(names.filter((name) => !long.includes(name)).map(cut));
  for (const name of long) {
    let form = cutInMiddle(name, differsAt(name, alike(name)), mostLetters);
    for (let count = 2; taken.has(form); count += 1) form = `${name.slice(0, mostLetters - 5)}… ${count}`;
    taken.add(form);
    short.set(name, form);
  }
  return short;
};

/** Returns the first index at which a name differs from the others. */
const differsAt = (name: string, others: readonly string[]): number => {
  const rest = others.filter((other) => other !== name);
  const at = [...name].findIndex((_, index) => rest.every((other) => other[index] !== name[index]));
  return at === -1 ? name.length : at;
};

/** The beginning and the part around `at`, with what lies between them left out. */
const cutInMiddle = (name: string, at: number, mostLetters: number): string => {
  const head = Math.floor((mostLetters - 1) / 3);
  const tail = mostLetters - 1 - head;
  const from = Math.max(head, Math.min(at, name.length - tail));
  return `${name.slice(0, head)}…${name.slice(from, from + tail)}`;
};

/** The separator in the key of a line under a group; the part behind it is the name, if there is one. */
const within = "\u001f";
const nameIn = (key: string): string => {
  const [group = "", name = ""] = key.split(within);
  return name === "" ? group : name;
};

const withLabels = (part: Spec, short: ReadonlyMap<string, string>): Spec => {
  const label = typeof part["labelExpr"] === "string" ? `(${part["labelExpr"]})` : "datum.label";
  return { ...part, labelExpr: `${JSON.stringify(Object.fromEntries(short))}[${label}] || ${label}` };
};

/** The view with names along its axes and in its legend that look different even where they are cut. */
const withDistinctNames = (view: Spec, rows: readonly unknown[], letters: { axis: number; legend: number }): Spec => {
  const { encoding } = view;
  if (!isSpec(encoding)) return view;
  const channels = (["x", "y", "color"] as const).flatMap((channel) => {
    const given = encoding[channel];
    if (!isSpec(given) || given["type"] !== "nominal") return [];
    const part = channel === "color" ? "legend" : "axis";
    const names = [...new Set(namesOf(given, rows).map(nameIn))];
    const short = distinctNames(names, letters[part]);
    const own = isSpec(given[part]) ? given[part] : {};
    return short.size === 0 ? [] : [[channel, { ...given, [part]: withLabels(own, short) }] as const];
  });
  return channels.length === 0 ? view : { ...view, encoding: { ...encoding, ...Object.fromEntries(channels) } };
};

/** The specification with such names in all its views, for a chart of this width. */
export const toDistinctNames = (spec: Spec, widthPx: number): Spec => {
  const rows = isSpec(spec["data"]) && Array.isArray(spec["data"]["values"]) ? spec["data"]["values"] : [];
  const toLetters = (px: number): number => Math.max(10, Math.floor(px / letterPx));
  const letters = { axis: toLetters(maxNameWidth(widthPx)), legend: toLetters(legendLayout(spec, widthPx).labelLimit) };
  const views = (all: unknown) =>
    Array.isArray(all) ? all.map((view) => (isSpec(view) ? withDistinctNames(view, rows, letters) : view)) : all;
  const { vconcat, layer } = spec;
  return {
    ...withDistinctNames(spec, rows, letters),
    ...(vconcat === undefined ? {} : { vconcat: views(vconcat) }),
    ...(layer === undefined ? {} : { layer: views(layer) }),
  };
};
