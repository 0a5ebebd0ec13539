/** Articles, pronouns, auxiliaries and courtesies. */
const words =
  "a an the our my your we i us me you it its is are was were be been being do does did have has had having can could would " +
  "should that these those this there who which they them please pls plz hi hey hello ok okay so thanks im ill id - / in up " +
  "down back still each one";
/** Words that any answer fits. */
const nouns = "total figure number result report stat record entry breakdown data";
/** Verbs of mere being, coming, having and asking. */
const verbs =
  "hear concern account want need like know let tell happen occur receive generate produce look differ vary return last";
const irregular =
  "get got getting come came coming take took taken make made making bring brought bringing run ran go went gone done send " +
  "sent sending ring rang break split entries varies varied goes";

/**
 * The words that change no plan, a short closed list. All other words have to be explained by a production.
 */
export const functionWords: ReadonlySet<string> = new Set([
  ...`${words} ${irregular}`.split(" "),
  ...nouns.split(" ").flatMap((noun) => [noun, `${noun}s`]),
  ...[...verbs.split(" "), "take", "make", "bring", "run", "come", "send", "get"].flatMap((verb) => {
    const stem = verb.replace(/e$/, "");
    return [verb, `${verb}s`, `${stem}ed`, `${stem}ing`];
  }),
]);
