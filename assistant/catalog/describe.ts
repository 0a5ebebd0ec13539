import { type Grain, grains } from "../plan.ts";
import { catalog, grainWords } from "./catalog.ts";
import type { Dimension, Measure, Subject } from "./field.ts";
import { statisticWords } from "./statistics.ts";
import { isChoice } from "./wording.ts";

const synonyms = ([, ...others]: readonly string[]): readonly string[] => told(others);
/**
 * Keeps the list short by leaving out rarer synonyms, which are understood too; wordings with choices stay, as they
 * hold several.
 */
const told = (words: readonly string[]): readonly string[] =>
  words.filter((word, index) => index < mostSynonyms || isChoice(word));
const mostSynonyms = 8;

const describeMeasure = ({ name, unit, words, definition }: Measure, { defaultMeasure, noun }: Subject) => ({
  name,
  label: name === defaultMeasure ? noun.many : words[0],
  unit,
  definition,
  synonyms: [...synonyms(words)],
});
const describeDimension = ({ name, column, words, definition, own, values }: Dimension) => ({
  name,
  label: words[0],
  column,
  definition,
  synonyms: [...synonyms(words)],
  /** True where its values are the organization's own names. */
  own: own === true,
  values: (values ?? []).map((each) => ({ value: each.value, words: [...told(each.words)] })),
});

function describeSubject(subject: Subject) {
  const { name, noun, time, defaultMeasure, tags } = subject;
  return {
    name,
    label: noun.many,
    time,
    default_measure: defaultMeasure,
    has_tags: tags !== undefined,
    synonyms: [...subject.words],
    measures: subject.measures.map((measure) => describeMeasure(measure, subject)),
    dimensions: subject.dimensions.map(describeDimension),
    flags: subject.flags.map(({ name: flag, words, opposites = [], definition }) => ({
      name: flag,
      label: words[0],
      definition,
      synonyms: [...synonyms(words)],
      opposites: [...opposites],
    })),
    quantities: subject.quantities.map(({ name: quantity, unit, words, definition }) => ({
      name: quantity,
      label: words[0],
      unit,
      definition,
      synonyms: [...synonyms(words)],
    })),
    listing: [...subject.listing],
  };
}

/** The catalog for clients: everything that can be asked about, in plain words. */
export const describeCatalog = () => ({
  subjects: catalog.map(describeSubject),
  grains: grains.map((name: Grain) => ({ name, label: grainWords[name] })),
  /** The names of bins as dimensions of a plan; without a width a round one is chosen. */
  steps: ["bin:<quantity>", "bin:<quantity>:<width>"],
  statistics: [...Object.keys(statisticWords), "p1 to p99"],
});
export type CatalogDescription = ReturnType<typeof describeCatalog>;
