/** The past and, where it is another one, the participle of verbs that do not end in -ed. */
const irregular = new Map(
  (
    "be was been, become became become, begin began begun, bid bid, break broke broken, bring brought, buy bought, come came come, " +
    "cut cut, deal dealt, do did done, draw drew drawn, drive drove driven, fall fell fallen, feed fed, find found, " +
    "forget forgot forgotten, get got gotten, give gave given, go went gone, grow grew grown, hang hung, have had, hear heard, " +
    "hit hit, hold held, keep kept, know knew known, lay laid, lead led, leave left, let let, lose lost, make made, mean meant, meet met, pay paid payed, " +
    "put put, resend resent, ring rang rung, rise rose risen, run ran run, see saw seen, sell sold, send sent, shrink shrank shrunk, " +
    "sink sank sunk, slide slid, speak spoke spoken, spend spent, split split, stand stood, sit sat, take took taken, " +
    "tell told, throw threw thrown, tie tied, win won, wind wound, write wrote written"
  )
    .split(", ")
    .map((line) => {
      const [verb = "", ...pasts] = line.split(" ");
      return [verb, pasts] as const;
    }),
);

/** Verbs of two syllables that double their last letter, as all short ones do: "referred", where "offered" does not. */
const doubled = /^(?:occur|omit|refer|submit|permit|transfer|[^aeiou]*[aeiou][^aeiouwxy])$/;

/** The forms of a verb: "supply", "supplies", "supplied", "supplying". */
export function formsOf(verb: string): readonly string[] {
  const root = doubled.test(verb) ? `${verb}${verb.at(-1)}` : verb.replace(/(?<![eo])e$/, "");
  const third = `${verb.replace(/(?<=[^aeiou])y$/, "ie")}${/(?:ch|sh|ss|x|o)$/.test(verb) ? "es" : "s"}`;
  const past = irregular.get(verb) ?? [/[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${root}ed`];
  return [...new Set([verb, third, ...past, verb === "tie" ? "tying" : `${root}ing`])];
}
