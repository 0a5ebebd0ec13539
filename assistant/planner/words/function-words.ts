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

/** Words that carry nothing a plan could hold. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    "a an the of for in on at to from me us our ours we i my you your is are was were be been being " +
    "do does did done have has had having show give get getting see find display tell please can could would " +
    "should want need what whats how much there that these those this and or with it its they them " +
    "their so up out about into during within through than then hello hi hey thanks thank ok okay " +
    "report reports table chart graph plot data figure figures result results statistics stats " +
    "statistic breakdown overall total totals combined overview summary summarize come came comes " +
    "coming received receive receives receiving happened happen happens got gets went go goes going " +
    "gone sent send sends sending take taken took takes place occurred occur by each run runs ran " +
    "return returned returns produced bought buy break down split grouped performance perform " +
    "performed performing performs handled handle generated generate generates generating brought " +
    "bring brings produce produces lasted lasting - , / number many lot any some s per fire fired fires using based " +
    "calculate compute look looking looks let lets sort sorted order ordered which who whom time times " +
    "drive drove driven drives driving deliver delivering contribute contributed contributes " +
    "attributed belonging related associated pull present list wondering wonder know quick quickly " +
    "just simply exactly actually currently altogether respectively both together along individual " +
    "respective particular specific given as if id ill im you're made via across basis wise according " +
    "respect kind kinds here now right think help mean means kindly curious interested analysis " +
    "analyze analyse insight insights view visualize visualise draw render put record records entries " +
    "entry one ones amount amounts placed making make sure reached reach reaching hit hits landed land " +
    "hold holds held work worked works working ended account accounts accounted located originating " +
    "originated originate calling called dialing dialed dial ring rang rings side next beside " +
    "alongside use try set sets perspective compared doing throughout when where far like differ differs vary " +
    "varies caused due answer process respond reply filter filters condition conditions often " +
    "cause used touched saw seen pair pairs combo combos combination combinations damage setup back matrix crosstab pivot arrive arrives arrived arriving stuff apiece carried carrying carry gave given gives touch touches someone somebody whole still anyway book burn burns burned pulled he she him his her pls earned something anything thing things stayed stays stay remained routed forwarded transferred"
  ).split(" "),
);
