import { withoutWish } from "./courtesies.ts";

/** What figures are got ready for, and no record is. */
const occasions =
  "review|meeting|deck|presentation|standup|sync|offsite|qbr|retro|memo|recap|pitch|prep|planning|reconciliation|recon|audit|briefing|" +
  "debrief|agenda|workshop|conference|committee|negotiations?|discussion|reports?|reporting|slides?|accruals?|close|closing|budget|" +
  "budgeting|invoices?|invoicing|payroll|newsletter|spreadsheet|statements?|books|bookkeeping|taxes|paperwork|handover|staffing|" +
  "training|write-?up|one-?pager|check-?in|kick-?off|huddle|catch-?up|dashboard|leaderboard|case study|notes|contract|renewal|sla doc|docs?";
/** "For estate planning" may be said of calls: what needs no article is work with figures alone. */
const works =
  "slides|accruals|invoicing|payroll|bookkeeping|reconciliation|(?:month|quarter|year)[ -]end(?: clos(?:e|ing))?";
/** Who asks for figures; whole departments are no audience without "team", since calls are about law and finance, too. */
const readers =
  "boss(?:es)?|manager|chief|ceo|cfo|coo|cmo|cto|vp|board|investors?|accountants?|bookkeeper|controller|auditors?|lawyers?|" +
  "management|leadership|execs?|executives?|team|colleagues?|coworkers?|dev|devs|client|customer|customers";
const departments = "finance|accounting|legal|billing|ops|operations|marketing";
const people = `(?:(?:${departments}) )?(?:${readers})|${departments}`;
const article = "(?:(?:the|my|our|an?|this|his|her|their|some|upcoming) )";
const self = "(?:(?:i|we)(?:['’]?m| am|['’]?re| are)? )?(?:just |still |currently )?";
const it = "(?:it|this|that|them|these|those|the (?:numbers?|figures?|data))";
const purpose = `(?:${article}(?:${people})|${article}(?<rest>(?:[\\p{L}\\p{N}’'&-]+ ){0,4}?)(?:${occasions})|(?:${works}))`;
const whole = (pattern: string) => new RegExp(`^${pattern}$`, "iu");

/** "For the weekly ops review", "need it for finance planning", "podcast spend review"; that of a customer may be a condition. */
const purposes: readonly RegExp[] = [
  whole(
    `${self}(?:(?:need|needed|want|wanted|using) ${it} |it['’]?s |this(?: one)?(?:['’]?s| is) |as (?:an )?input )?(?:for|ahead of|in preparation (?:for|of)) ${purpose}`,
  ),
  whole(
    `${self}(?:(?:need|needed|want|wanted|using) ${it} |as (?:an )?input )for (?<rest>(?:[\\p{L}\\p{N}’'&-]+ ){0,4}?)(?:${occasions})`,
  ),
  whole(
    `(?:the |my |our )?(?!(?:customer|client|user|caller|product|google)s?\\b)(?<rest>(?:[\\p{L}\\p{N}’'&-]+ ){1,4}?)(?:review|meeting|deck|presentation|standup|sync|offsite|qbr|retro|memo|recap|(?:month|quarter|year)[ -]end(?: clos(?:e|ing))?)`,
  ),
  whole(
    `${self}(?:so as |in order |need ${it} )?to (?:show|present|send|forward|hand|explain|justify|prove)(?: it| this| that| them)?(?<rest> (?:the |my |our )?(?:trend|picture|point|case|effect|impact|difference|progress))?(?: to ${article}(?:${people}))?`,
  ),
  // "Smells like junk traffic".
  /^(?:it |this |that |these |they |something )?(?:really |just )?(?:smells?|looks?|seems?|sounds?|feels?|felt|seemed|looked)(?: (?:like|a bit|a little|very|so|pretty|really|off|fishy|odd|weird|strange|wrong|high|low))+/iu,
];

const lead =
  "(?:(?:ok|okay|so|and|but|well|hey|hi|oh|just|also|because|bc|since|as|cause|cuz|cos|though|while|honestly|apparently|actually|anyway|now|fyi|btw) )*";
/** What makes a sentence of a subject: it is, has, does, wants, says, feels or seems something. */
const says =
  "am|is|are|was|were|been|has|have|had|will|would|can|could|should|might|must|do|does|did|wants?|wanted|needs?|needed|asks?|asked|asking|says?|said|" +
  "saying|thinks?|thought|thinking|feels?|felt|seems?|seemed|looks?|looked|sounds?|smells?|swears?|insists?|claims?|keeps?|kept|gets?|got|getting|complains?|" +
  "complained|complaining|told|tells?|mentioned|messaged|pinged|reported|reports?|noticed|loves?|likes?|hates?|wonders?|wondering|worries|worried|believes?|suspects?|" +
  "expects?|started|goes|went|gone|came|thinks|waiting|nagging|chasing|knows?|took|made|changed|loved|liked|hated";
const contracted =
  "(?:do|does|did|is|are|was|were|wo|ca|could|would|should|have|has|had)n['’]?t|[\\p{L}]+['’](?:s|re|ve|d|ll|m)";
const verb = `(?:(?:${says})|${contracted})(?![\\p{L}'’])`;
/** "I promised them an answer", "their check looks small", "trying to set the timer right". */
const statements: readonly RegExp[] = [
  new RegExp(
    `^${lead}(?:i|we|you|u|im|ive|id|youre|weve)(?:['’](?:m|re|ve|d|ll|s))? (?:[\\p{L}'’-]+ \\S|(?:${says}|promise|swear|guess|hope|think|know)$)`,
    "iu",
  ),
  new RegExp(
    `^${lead}(?:he|she|it|they|this|there|someone|somebody|everyone|everybody|nobody|something|one of|some of|my|our|your|his|her|their|the|an?|some)(?:['’](?:s|re|ve|d|ll))?(?: [\\p{L}\\p{N}'’-]+){0,6}? ${verb}`,
    "iu",
  ),
  new RegExp(
    `^(?:(?:because|bc) of (?:the|my|our|all) [\\p{L} ]+$|(?:because|bc|since|as|cause|cuz|cos)(?: [\\p{L}\\p{N}'’-]+){1,6}? ${verb})`,
    "iu",
  ),
  new RegExp(
    `^${lead}(?:(?:it|they|he|she|there|that)['’](?:s|re|ve|d|ll)|theyre|theres|its|thats|lets|(?:it|they|he|she) (?:already|always|never|usually|probably|also|all|just|really|still)) \\p{L}`,
    "iu",
  ),
  new RegExp(
    `^${lead}[\\p{L}]+ (?:says?|said|asks?|asked|claims?|insists?|swears?|complains?|(?:is|are|keeps?) (?:asking|saying|complaining|worried|upset))\\b`,
    "iu",
  ),
  new RegExp(
    `^${lead}(?:trying|hoping|hope|thinking|wondering|curious|unsure|not sure|no idea|gotta|wanna|gonna|wish|guess|bet|thanks|thank|sorry|happy|glad|pleased|excited|hate|love|asking (?:for a (?:friend|colleague|client)|because|since|on behalf)|(?:got|have|had|in|on) an?\\b|got (?:my|our|off|out|to)|jumping|switching|moving on|woke|heard|saw|noticed|no (?:rush|worries|hurry|need|pressure)|pretty sure|if (?:it|you|that|i)|when(?:ever)? you|(?:before|after|until|once) (?:i|we)|(?:want|wanted|need|needed|like|have|about|time|in order|so as) to|to (?:verify|prepare|prep|plan|settle|close|finish|decide|discuss|reassure|convince|negotiate|budget|check|reply|answer|help))\\b`,
    "iu",
  ),
  new RegExp(
    `^${lead}(?:(?:getting ready|preparing|prepping|planning|doing|working on|putting together|building|writing|drafting|closing|finishing|gearing up|checking|double[- ]checking|reviewing|making|setting|prep for|wrapping)(?:(?= (?:for |up |on |with )*${article})| (?=(?:for )?(?:[\\p{L}-]+ ){0,4}?(?:${occasions})(?: for ${article}(?:${people}))?$))|in the middle of\\b)`,
    "iu",
  ),
  new RegExp(
    `^${lead}(?:my |the |our )?(?:(?:${people})|(?:[\\p{L}]+(?:['’]s)? ){1,3}(?:guys?|rep|people|folks|team)) ${verb}`,
    "iu",
  ),
];
/** In front of a whole question a sentence may have any subject: "northshore swears they've been ramping". */
const sentence = new RegExp(
  `(?<![\\p{L}'’])(?:i|i['’]?m|me|my|we|us|our|you|your)(?![\\p{L}'’])|(?<![\\p{L}'’])${verb}`,
  "iu",
);

/** What says which records are meant, in whatever sentence it stands. */
const specifies =
  /\b(?:only|except\w*|exclud\w*|excl|without|ignor\w*|skip\w*|includ\w*|limit\w*|restrict\w*|filter\w*|focus\w*|instead|besides|minus|versus|vs|compar\w+|per|each|grouped|split|above|below|at (?:least|most)|than|under|over (?=\$?\d)|between|whose|mean|meant|namely|specifically|especially|apart from|aside from|counting|among|or|(?:whether|if) (?!(?:it|this|that|we|i|you|things|the|our|my|there)\b)|(?:that|which|ones|those|who) (?:are|were|is|was|have|had) (?!on\b))\b|\b(?:i|we)(?:['’]?(?:m|re|d|ve|ll))? (?:[a-z]+ly |just |really |also |still )?(?:(?:want|need)(?:ed)? (?!to\b|it\b|this\b|that\b|them\b)|count|track|care|refer|interested|said|say|talk|(?:have|had) (?!an?\b|to\b|been\b|some\b|no\b|you\b|my\b|our\b|the\b))|\b(?:see|know|understand|to check|find|show) (?!(?:if|whether|when|where|why|how|who|what|which|it|this|that|them|out|on|in|about|the trend|my|your|our|me|you|a)\b)[a-z]|\b\d+(?:\.\d+)?%|[<>=$"“]/iu;

/** What says how an answer is to look, who is asked for besides, or what a word means: none of it is beside the point. */
const directs = new RegExp(
  [
    // "My boss wants it by week", "the accountant likes it weekly", "he wants the top three", "sorted by name".
    "by (?:the )?(?:hour|day|week|month|quarter|year)\\b",
    "(?:hourly|daily|weekly|monthly|quarterly|yearly|annually)$",
    "(?:sort(?:ed)?|ranked|alphabetical(?:ly)?|ascending|descending|rounded?|rows?|columns?|decimals?)\\b(?! up\\b)",
    "(?:top|best|worst|first|biggest|largest) (?:\\d+|two|three|four|five|six|seven|eight|nine|ten|few|ones?)\\b",
    // "So leave it out", "we throw away anything short", "it should not count".
    "(?:leav|left?|drop|cut|keep|kept|throw|threw|tak)\\w* (?:\\p{L}+ ){0,2}?(?:out|off|away|aside)\\b",
    "(?<!there )should(?:n['’]?t)? (?!be (?:quick|easy|fast|simple|fine|enough)\\b)",
    // "I handle Florida", "I'm on pacific time", "a good call is a billed one for us".
    "(?:not|never|no longer|\\p{L}+n['’]t) (?:\\p{L}+ )?(?:interest\\w*|counts?|matters?|relevant|important)\\b",
    "(?:handle|manage|oversee|look(?:ing)? after|cover|responsible for|in charge of)\\b",
    "(?:time ?zones?|(?:pacific|eastern|central|mountain|local) time|utc|gmt)\\b",
  ]
    .map((said) => `(?<![\\p{L}'’])${said}`)
    .concat("^(?:by )?an? \\p{L}+(?: \\p{L}+)? (?:is|means|counts as) an? ")
    .join("|"),
  "iu",
);

const deadline =
  /[\s,]+(?:(?:in|within) (?:\d{1,2}|an?|half an|a few|two|five|ten|fifteen|twenty|thirty) (?:mins?|minutes?|hours?|hrs?)|by (?:eod|cob|noon|lunch|tonight|(?:the )?end of (?:the )?day)|asap|right now)$/iu;

/** How a question opens that stands behind a remark. */
export const opens =
  /^(?:so |and |but |then |now |anyway |ok |okay |please |pls |just )*(?:(?:can|could|would|will|may) (?:you|u|ya|i|we)|what|whats|which|how|hows|who|whose|show|give|gimme|list|pull|tell|get|compare|split|break|need|count|(?:i|we) (?:need|want)|(?:i|we)['’]?d|did|does|do|is|are|was|were|send)\b/iu;

/** How a remark is worded: it says what the figures are for, or is a sentence of its own. */
export type Remark = "purpose" | "sentence";

const isSentence = (said: string): boolean =>
  said.split(/\s+/u).length > 2 &&
  sentence.test(said) &&
  !opens.test(said) &&
  !/^(?:can|could|would|will|may)\b/i.test(said);

/** What a part of what was typed is by its wording; undefined where it may be a condition. Before a whole question any sentence is a remark. */
export function remarkIn(part: string, isBeforeQuestion: boolean): Remark | undefined {
  const said = part
    .trim()
    .replace(/[\s.!?…,;:–-]+$/u, "")
    .replace(deadline, "");
  if (specifies.test(said) || directs.test(said)) return undefined;
  const ofPurpose = purposes.map((pattern) => pattern.exec(said)).find((found) => found !== null);
  if (ofPurpose !== undefined) return /\p{Lu}\p{Ll}|\d/u.test(ofPurpose.groups?.["rest"] ?? "") ? undefined : "purpose";
  return statements.some((pattern) => pattern.test(withoutWish(said))) ||
    (isBeforeQuestion && isSentence(withoutWish(said)))
    ? "sentence"
    : undefined;
}

/** "My manager wants", in front of what is asked: who asks is nothing to the answer. */
export const behindMessenger = new RegExp(
  `(?<=^(?:my |the |our )?(?:${people}) (?:wants?|needs?|asks for|asked for|is asking for|would like)(?: to (?:see|know|have))?)\\s(?=\\S)`,
  "giu",
);
