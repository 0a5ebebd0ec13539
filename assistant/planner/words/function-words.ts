/** Articles, pronouns, auxiliaries and courtesies. */
const words =
  "a an the our my your we i us me you it its is are was were be been being do does did have has had having can could may would " +
  "should that these those this there who which they them please pls plz hi hey hello ok okay so thanks im ill id if - / in up " +
  "down back still each one far someone somebody anyone anybody people kindly exactly actually altogether respectively apiece thank thx ty cheers em already into we'd we've i'd i've they'd they've you've";
/** Words that any answer fits. */
const nouns =
  "total figure number result report stat record entry data series statistic setup row line column " +
  "amount matrix crosstab";
/** Verbs of mere being, having, coming, going, doing and asking: what is counted was there, came or was made. */
const verbs =
  "hear concern account want need like know let tell happen occur receive generate produce look differ vary return last " +
  "notify plot chart graph draw burn rack post contribute book reach arrive land accrue end belong involve work serve express hit " +
  "experience encounter use stay remain yield submit quote interest lay buy appear";
const irregular =
  "get got getting come came coming take took taken make made making run ran go went gone done send " +
  "sent sending ring rang break split entries varies varied goes saw seen sees seeing given gave gives gimme shown keep kept " +
  "hitting hold held found notified pulled placed called calling phoned recorded registered put laid bought showed very really";

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

/** Words that are no slip of another one and no name: the same, and others that say little by themselves. */
export const stopWords: ReadonlySet<string> = new Set([
  ...functionWords,
  ...(
    "of for on at to from ours show give see find display what whats how much and or with their out about " +
    "during within through than then table breakdown overall combined overview summary summarize going place " +
    "occurred by bought buy grouped performance perform performed performing performs handled handle brought " +
    "bring brings , many lot any some s per fire fired fires based calculate compute sort sorted order " +
    "ordered whom time times drive drove driven drives driving deliver delivering attributed related " +
    "associated pull present list wondering wonder quick quickly just simply currently both together along " +
    "individual respective particular specific as you're via across basis wise according respect kind kinds " +
    "here now right think help mean means curious analysis analyze analyse insight insights view visualize " +
    "visualise render ones sure holds located originating originated originate dialing dialed dial rings side " +
    "next beside alongside try set sets perspective compared doing throughout when where caused due answer " +
    "process respond reply filter filters condition conditions often cause touched pair pairs combo combos " +
    "combination combinations damage pivot stuff carried carrying carry touch touches whole anyway he she him " +
    "his her earned something anything thing things routed forwarded transferred"
  ).split(" "),
]);
