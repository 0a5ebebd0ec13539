/** Articles, pronouns, auxiliaries and courtesies. */
const words =
  "a an the our my your we i us me you it its is are was were be been being do does did have has had having can could may would " +
  "should that these those this there who which they them please pls plz hi hey hello ok okay so thanks im ill id if - / in up " +
  "down back still each one far someone somebody anyone anybody both kindly exactly actually altogether respectively apiece thank thx ty cheers em already into we'd we've i'd i've they'd they've you've";
/** Words that any answer fits. */
const nouns =
  "total figure number result report stat record entry data series statistic combo combination pair setup row line column " +
  "amount matrix crosstab";
/** Verbs of mere being, having, coming, going, doing and asking: what is counted was there, came or was made. */
const verbs =
  "hear concern account want need like know let tell happen occur receive generate produce look differ vary return last " +
  "notify plot chart graph draw burn rack post contribute book reach arrive land accrue end belong involve work serve express hit " +
  "experience encounter use stay remain";
const irregular =
  "get got getting come came coming take took taken make made making run ran go went gone done send " +
  "sent sending ring rang break split entries varies varied goes saw seen sees seeing given gave gives gimme shown keep kept " +
  "hitting hold held found notified pulled placed called calling phoned recorded registered";

/**
 * The words that change no plan, a closed list. All other words have to be explained by a production.
 */
export const functionWords: ReadonlySet<string> = new Set([
  ...`${words} ${irregular}`.split(" "),
  ...nouns.split(" ").flatMap((noun) => [noun, `${noun}s`]),
  ...[...verbs.split(" "), "take", "make", "run", "come", "send", "get"].flatMap((verb) => {
    const stem = verb.replace(/e$/, "");
    return [verb, `${verb}s`, `${stem}ed`, `${stem}ing`];
  }),
]);
