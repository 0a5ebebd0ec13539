import { shortForms } from "../words/tokenize.ts";

/** Greetings, thanks, apologies and cheers, whatever is asked with them. */
const courtesies = new Set(
  (
    "hi hello hey hiya heya hola aloha yo howdy greetings thanks thank thx ty tia ta cheers appreciated appreciate appreciates " +
    "sorry sry apologies pardon oh ooh aw aww ouch hm hmm um uh wow haha hehe lol lmao hugs please pls congrats happy good hope " +
    "lovely awesome perfect great nice cool cute sweet wonderful fine ok okay alright yes yeah yep nah promise bless rush hurry dear " +
    "worries pressure quick kindly possible morning afternoon evening whew phew urgent curiosity"
  ).split(" "),
);
/** Words that a greeting, thanks or an apology may have besides. */
const beside = new Set(
  (
    "there of out kinda again all team everyone everybody folks guys friend friends dear mate buddy people sunshine you u your so very much many " +
    "a an the lot ton bunch million kindly in advance for of to one ones more small last final thing question q ask check favor favour note " +
    "little tiny teeny silly dumb random weird nosy fun such before lunch being heads up back no not at if it its it's that thats that's this is was day night weekend ish " +
    "me i im i'm am be been being such almost just also and or but well really truly earlier help helping helpful patient lifesaver btw fyi " +
    "give show tell check find kindly mind don't dont any chance possible able imo tbh anyway now right then too would could you're youre are love good pretty done indeed see got it monday tuesday wednesday thursday friday saturday sunday"
  ).split(" "),
);

/** "Heyyy" is "hey". */
const unstretched = (word: string): string => word.replace(/(\p{L})\1{2,}/gu, "$1");

const learn = "see|have|know|get|understand|check|look at|learn|hear|find out|figure out|work out";
/** The parts of "I would | like | to see": the subject, the verb, and what it leads to. */
const wisher = `(?:(?:(?:i|we)(?:['’]?(?:d|m)| would| am)?|would|it['’]?d|that['’]?d|it would) )?`;
const wished =
  "(?:love|like|appreciate|adore|need|want|wanna|curious|wondering|(?:be )?(?:interested|keen)|be (?:super |so |very |really |most )?(?:grateful|helpful|useful|important|interesting|nice|great|glad|happy|thankful|good))";
const purpose = `(?: (?:for(?: (?:me|us) to (?:${learn}))?|in|(?:to|and) (?:${learn})|if (?:you|i) could (?:show|tell|give|see|get)(?: me)?|seeing|having|knowing|about|your help (?:with|figuring out)))?`;
/** "I'd love to see", "it would be helpful to have", "curious", "I was asked to report". */
const wishes = `(?:${[
  `${wisher}(?:really |just |also |super |rather )?${wished}${purpose}`,
  "(?:could|can|would) (?:you|u|ya|i|we)",
  `(?:would|is) it (?:be )?possible to (?:${learn})`,
  `is there (?:a|any|some) (?:way|chance|possibility) (?:to (?:${learn})|of (?:seeing|getting)|(?:that )?(?:you|i|we) (?:could|can|might) (?:tell|show|give|see|get)(?: me| us)?)`,
  "(?:i|we)(?:['’]ve| have)? (?:was|were|been|am|are) (?:asked|told|required|expected|supposed|instructed) to (?:report|provide|present|prepare|deliver|find out|look up|send|give|show)",
  "(?:(?:by|with) (?:that|this) |what )?i mean(?:t)?(?: is)?",
  "i(?:['’]m| am|['’]d be| would be) (?:asking(?: for| about)?|looking (?:for|at)|after)",
  "any (?:chance|way) (?:you|u|ya|i|we) (?:could|can|might)(?: please)?(?: (?:tell|show|give|get|send|pull|share|see|have|know)(?: me| us)?)?",
  `to (?:${learn}|ask)`,
  "(?:please |pls |kindly |just )*(?:check|tell me|show me|see|pull|find out)",
].join("|")})`;
const joint = /^(?:so|and|but|now|just|also|or|then|plus|cause|since|because|as|anyway|it|this|that|them)$/iu;
/** "One last thing", "just a teeny favour". */
const another =
  /^(?:just |here(?:['’]?s| is) |this is )?(?:(?:one|an?|the|two|my) )?(?:(?:more|last|other|final|quick|small|little|tiny|teeny|simple|random|silly|dumb|stupid|weird|fun|easy) )*(?:more|another|one|(?:thing|question|q|ask|favou?r|request|note|check)s?)(?: (?:before|for|from) \p{L}+| please| though| maybe| then| probably)*$/iu;
/** The space between a wish and what is wished for, as in "I need | the calls by day". */
export const behindWish = new RegExp(`(?<=(?:^|\\s)${wishes})\\s`, "giu");

const lastWish = new RegExp(`(?:^|\\s)${wishes}$`, "iu");
/** Takes the wish off the end: of "hi Ann, could you tell me" it leaves "hi Ann,". */
export function withoutWish(said: string): string {
  const left = said.replace(lastWish, "");
  return left === said ? said : withoutWish(left);
}

/** "Could you show that", "can you do it": what was asked for before. */
const itself =
  /(?<=^(?:can|could|would|will) (?:you|u|ya|i|we)) (?:please |also )?(?:show|do|get|see|have|pull|give|make|check|find|run|tell)(?: me| us)? (?:that|this|it|them)(?: (?:for me|please|up|out))?$/iu;

/** Tells if a part of the text is a courtesy, a wish or a joint, and so says nothing. */
export function isIdle(part: string): boolean {
  const said = part
    .trim()
    .replace(/[\s.!?…,;:–-]+$/u, "")
    .replace(itself, "");
  return joint.test(said) || withoutWish(said) === "" || another.test(said) || isCourtesy(part);
}

/** "In the afternoon", "the evening", "on Monday": when, and no greeting. */
const when =
  /(?:(?:in|on|during|at|over|by|this|the) |^\P{L}*and )(?:mornings?|afternoons?|evenings?|night|day|weekend|\p{L}+day)\b/iu;

/** Tells if a part of the text is a greeting, thanks or an apology and nothing else. */
export function isCourtesy(part: string): boolean {
  if (when.test(part)) return false;
  const words = (part.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? []).map((word) =>
    unstretched(word.replace("’", "'")),
  );
  const isKnown = (word: string) => courtesies.has(word) || beside.has(word) || shortForms.get(word) === "please";
  return words.every(isKnown) && words.some((word) => courtesies.has(word));
}
