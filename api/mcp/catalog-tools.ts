import { z } from "zod";
import type { CatalogDescription } from "../../assistant/catalog/describe.ts";
import { subjectNames } from "../../assistant/plan.ts";
import { fieldOf, pick, rowOf } from "./schema-parts.ts";
import { defineTool, type Tool, type ToolAnswer } from "./tool.ts";

/** Kinds of a subject's entries in the catalog. */
const kinds = ["measures", "dimensions", "flags", "quantities"] as const;
type Kind = (typeof kinds)[number];

/** Characters of JSON that a part of the catalog has at most, some 3,000 tokens; one entry has far fewer. */
const maxPartLength = 12_000;

const subjectOf = (catalog: z.ZodObject) => rowOf(fieldOf(catalog, "subjects"));
const entryOf = (catalog: z.ZodObject, kind: Kind) => rowOf(fieldOf(subjectOf(catalog), kind));

/** The catalog with the names of entries in their place. */
function toOverviewSchema(catalog: z.ZodObject): z.ZodObject {
  const subject = subjectOf(catalog);
  const names = Object.fromEntries(kinds.map((kind) => [kind, z.array(fieldOf(entryOf(catalog, kind), "name"))]));
  const kept = ["name", "label", "time", "default_measure", "has_tags", "listing"];
  return catalog.extend({ subjects: z.array(pick(subject, kept).extend(names)) });
}

const toOverview = ({ subjects, ...rest }: CatalogDescription) => ({
  ...rest,
  subjects: subjects.map((subject) => ({
    ...subject,
    ...Object.fromEntries(kinds.map((kind) => [kind, subject[kind].map(({ name }) => name)])),
  })),
});

/** Entries of the catalog, each with its subject. */
const toPartSchema = (catalog: z.ZodObject): z.ZodObject =>
  z.object({
    ...Object.fromEntries(
      kinds.map((kind) => [
        kind,
        z.array(entryOf(catalog, kind).extend({ subject: fieldOf(subjectOf(catalog), "name") })),
      ]),
    ),
    total: z.int().describe("Entries that match."),
    next_offset: z.int().nullable().describe("Pass it as offset to go on; null at the end."),
  });

interface Wanted {
  readonly subject?: string | undefined;
  readonly kind?: Kind | undefined;
  readonly names?: readonly string[] | undefined;
  readonly search?: string | undefined;
  readonly offset: number;
}

/** Returns as many of the wanted entries as a part holds. */
function toPart({ subjects }: CatalogDescription, wanted: Wanted) {
  const words = wanted.search?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  const matching = subjects
    .filter(({ name }) => wanted.subject === undefined || name === wanted.subject)
    .flatMap((subject) =>
      kinds
        .filter((kind) => wanted.kind === undefined || kind === wanted.kind)
        .flatMap((kind) => subject[kind].map((entry) => ({ kind, entry: { subject: subject.name, ...entry } }))),
    )
    .filter(({ entry }) => wanted.names === undefined || wanted.names.includes(entry.name))
    .filter(({ entry }) => {
      const text = JSON.stringify(Object.values(entry)).toLowerCase();
      return words.every((word) => text.includes(word));
    });
  const rest = matching.slice(wanted.offset);
  let length = 0;
  const end = rest.findIndex(({ entry }) => {
    length += JSON.stringify(entry).length + 1;
    return length > maxPartLength;
  });
  const shown = end < 0 ? rest : rest.slice(0, Math.max(1, end));
  const next = wanted.offset + shown.length;
  return {
    ...Object.fromEntries(
      kinds.map((kind) => [kind, shown.filter((each) => each.kind === kind).map(({ entry }) => entry)]),
    ),
    total: matching.length,
    next_offset: next < matching.length ? next : null,
    truncated: next < matching.length,
  };
}

const toCatalog = (answer: ToolAnswer): CatalogDescription => answer as unknown as CatalogDescription;

/** The parts are short by themselves. */
const bounds = { whole: [...kinds, "subjects", "grains", "steps", "statistics"], most: mostNames() };

/** Names of an overview are all shown. */
function mostNames(): Record<string, number> {
  return Object.fromEntries([...kinds, "listing"].map((kind) => [`subjects[].${kind}`, 10_000]));
}

/** Tools that tell of the catalog, in parts that a model can hold. */
export const catalogTools: readonly Tool[] = [
  defineTool({
    name: "catalog",
    title: "What can be asked about",
    description:
      "The subjects of questions, with the names of their measures, dimensions, flags and quantities, and the units of time. Read it before making a plan; catalog_search tells what a name means.",
    operation: { user: "getAssistantCatalog" },
    input: z.object({}),
    toSchema: toOverviewSchema,
    toAnswer: (answer) => toOverview(toCatalog(answer)),
    summarize: (answer) =>
      toCatalog(answer)
        .subjects.map(({ name, label, measures }) => `${name} (${label}): ${measures.length} measures`)
        .join("; "),
    boundsOf: () => bounds,
  }),
  defineTool({
    name: "catalog_search",
    title: "Look up names of the catalog",
    description:
      "What measures, dimensions, flags and quantities mean, with their units, synonyms and values: by subject and kind, by name, or by words in any of their texts.",
    operation: { user: "getAssistantCatalog" },
    input: z.object({
      subject: z.enum(subjectNames).optional(),
      kind: z.enum(kinds).optional(),
      names: z.array(z.string().max(80)).min(1).max(50).optional().describe("Entries of these names alone."),
      search: z.string().min(1).max(200).optional().describe("Entries with all these words, such as 'bid rate'."),
      offset: z.int().min(0).default(0).describe("next_offset of an answer, to go on after it."),
    }),
    toSchema: toPartSchema,
    toAnswer: (answer, wanted) => toPart(toCatalog(answer), wanted),
    summarize({ total, next_offset }) {
      if (total === 0) return "Nothing in the catalog matches: catalog lists all names.";
      const counted = `${String(total)} entries match.`;
      return next_offset === null ? counted : `${counted} Pass offset ${String(next_offset)} to go on.`;
    },
    boundsOf: () => bounds,
  }),
];
