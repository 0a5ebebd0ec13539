/** What the wording of a remark leaves to be judged. */
interface Remark {
  /** Words that may be no part of a condition. */
  readonly rest: string;
  /** "The payout review": figures there tell which review, and ask for nothing. */
  readonly mayNameFigures: boolean;
}

/** Who asks for figures; whole departments are no audience without "team", since calls are about law and finance, too. */
const readers =
  "boss|bosses|manager|chief|ceo|cfo|coo|cmo|cto|vp|board|investors?|accountants?|bookkeeper|controller|auditors?|lawyers?|" +
  "management|leadership|execs?|executives?|team|colleagues?|coworkers?";
const departments = "finance|accounting|legal|billing|ops|operations|marketing";
const people = `(?:(?:${departments}) )?(?:${readers})|${departments}`;
const audience = `(?:the |my |our )(?:(?:${departments}) )?(?:${readers})`;

/** What figures are got ready for, and no record is. */
const meetings =
  "review|meeting|deck|presentation|standup|sync|offsite|qbr|retro|memo|recap|(?:month|quarter|year)[ -]end(?: clos(?:e|ing))?";
const works =
  "pitch|prep|planning|reconciliation|recon|audit|briefing|debrief|agenda|workshop|conference|committee|negotiations?|discussion|" +
  "reports?|reporting|slides?|accruals?|close|closing|budget|budgeting|invoices?|invoicing|payroll|newsletter|spreadsheet|" +
  "statements?|books|bookkeeping|taxes|paperwork|handover|staffing|training|write-?up|one-?pager|check-?in|kick-?off|huddle|catch-?up";
/** "For estate planning" may be said of calls: what needs no article is work with figures alone. */
const bareWorks =
  "slides|accruals|invoicing|payroll|bookkeeping|reconciliation|(?:month|quarter|year)[ -]end(?: clos(?:e|ing))?";

const self = "(?:(?:i|we)(?:['’]m| am|['’]re| are)? )?(?:just |still |currently )?";
const it = "(?:it|this|that|them|these|those|the (?:numbers?|figures?|data))";
const need = `(?:need|needed|want|wanted|using) ${it} `;
const article = "(?:(?:the|my|our|an?|this|his|her|their|some|upcoming) )";
const modifiers = "(?<rest>(?:[\\p{L}\\p{N}’'&-]+ ){0,4}?)";
const occasion = `(?:${meetings}|${works})`;
const purpose = `(?:${audience}|${article}${modifiers}${occasion}|(?:${bareWorks}))`;
const asking = "(?:if|whether|when|where|why|how)";
const someone = "(?:it|this|that|we|i|things|the|our|my)";
/** "Where to cut", "whether it worked": it has an answer of its own, and asks for none here. */
const undecided = `(?:(?:${asking}|what|which|who) to [a-z]+|${asking} (?=${someone}\\b))`;

const whole = (pattern: string) => new RegExp(`^${pattern}$`, "iu");

/** "For the weekly ops review", "need it for finance planning". */
const occasions: readonly RegExp[] = [
  whole(
    `${self}(?:${need}|it['’]?s |this is |as (?:an )?input )?(?:for|ahead of|in preparation (?:for|of)) ${purpose}`,
  ),
  whole(`${self}(?:${need}|as (?:an )?input )for ${modifiers}${occasion}`),
];
/** "Radio spend review"; that of a customer may be a condition. */
const meeting = whole(
  `(?:the |my |our )?(?!(?:customer|client|user|caller|product|google)s?\\b)(?<rest>(?:[\\p{L}\\p{N}’'&-]+ ){1,4}?)(?:${meetings})`,
);

/** Somebody does, wonders or wants something, and it is no question by itself. */
const clauses: readonly RegExp[] = [
  whole(
    `${self}(?:${need}|so as |in order |trying )?to (?:prepare|prep|plan|settle|close|finish|decide|discuss|reassure|convince|negotiate|budget)\\b(?: ${undecided})?(?<rest>.*)`,
  ),
  whole(
    `${self}(?:${need}|so as |in order )?to (?:show|present|explain|justify|prove|send|forward|hand)(?<rest> (?:the |my |our )?(?:trend|picture|point|case|effect|impact|difference|progress)|(?: .+)?(?= to ${audience}$))(?: to ${audience})?`,
  ),
  whole(
    `${self}(?:(?:want|wanted|like|need|hoping|trying) to (?:see|know|check|understand|find out|figure out|learn|decide|work out)|curious|wondering|unsure|not sure|no idea) ${undecided}(?<rest>.*)`,
  ),
  whole(
    `${self}(?:(?:getting ready|preparing|prepping|planning|doing|working on|putting together|building|writing|drafting|closing|finishing|gearing up)(?:(?= (?:for )?${article})| (?=(?:for )?(?:[\\p{L}-]+ ){0,4}?${occasion}(?: for ${audience})?$))|in the middle of\\b|(?:just )?(?:got|came) out of\\b)(?<rest>.*)`,
  ),
  whole(
    `(?:my |the |our )?(?:${people}) (?:(?:wants?|needs?|asked for|is asking for) (?:an? |the |some )?(?:quick |short |brief )?(?:recap|summary|overview|update|answer|numbers?|figures?|it|this|that|them)|(?:is|are|keeps?) (?:asking|nagging|waiting|pushing|chasing|worried|curious|nervous|impatient)\\b)(?<rest>.*)`,
  ),
];
const feeling = whole(
  `(?:it |this |that |these |they |something )?(?:really |just )?(?:smells?|looks?|seems?|sounds?|feels?|felt|seemed|looked)(?: (?:like|a bit|a little|very|so|pretty|really|off|fishy|odd|weird|strange|wrong|high|low))+(?<rest>.*)`,
);

/** When somebody has to have it; no time of the records. */
const deadline =
  /[\s,]+(?:(?:in|within) (?:\d{1,2}|an?|half an|a few|two|five|ten|fifteen|twenty|thirty) (?:mins?|minutes?|hours?|hrs?)|by (?:eod|cob|noon|lunch|tonight|(?:the )?end of (?:the )?day)|asap|right now)$/iu;
const tail = new RegExp(` (?:(?:for|to|from) )?${purpose}$`, "iu");

/** What may be part of a condition, wherever it stands in a remark; digits and quotes, too. */
const marks =
  /\b(?:by|per|each|every|all|any|only|just|with|without|exclud\w+|excl|includ\w+|except|not|no|non|never|over|under|above|below|than|less|fewer|between|since|until|till|before|after|during|vs|versus|compar\w+|against|top|best|worst|most|least|highest|lowest|from|minus|ignor\w+|skip\w*|leav\w+|drop\w*|instead|besides|but|plus|also|and|or|others?|that|which|who|whose|whom|where|when|if|in|as|for|of(?! (?:it|this|things)\b))\b|n['’]t\b|[\d"“”$%<>=]/iu;
/** A name, perhaps one that is not known; acronyms are said of meetings. */
const capital = /(?:^|\s)(?!I\b|[\p{Lu}\d]{2,4}\b)\p{Lu}/u;
/** How often there is a meeting. */
const cadence = /\b(?:daily|weekly|monthly|quarterly|yearly|annual|(?:month|quarter|year)[ -]end)\b/giu;

/**
 * The remark that a part of a question is by its wording: it says what the figures are for, or how somebody feels, and has
 * no mark of a condition. undefined where it may be one, as "gold customers" and "for the insurance vertical" may.
 */
export function readRemark(part: string): Remark | undefined {
  const said = part
    .trim()
    .replace(/[\s.!?…,;:–-]+$/u, "")
    .replace(deadline, "")
    .replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());
  const restOf = (pattern: RegExp) => {
    const found = pattern.exec(said);
    return found === null ? undefined : (found.groups?.["rest"] ?? "");
  };
  const ofClause = [...clauses, feeling].map(restOf).find((rest) => rest !== undefined);
  const ofOccasion = [...occasions, ...(ofClause === undefined ? [meeting] : [])]
    .map(restOf)
    .find((rest) => rest !== undefined);
  if (ofOccasion !== undefined)
    return isMarked(ofOccasion) ? undefined : { rest: ofOccasion.replace(cadence, " ").trim(), mayNameFigures: true };
  if (ofClause === undefined) return undefined;
  const end = tail.exec(ofClause);
  const own = end === null ? ofClause : ofClause.slice(0, end.index);
  const which = end?.groups?.["rest"] ?? "";
  if (isMarked(own) || isMarked(which)) return undefined;
  return { rest: `${own} ${which.replace(cadence, " ")}`.trim(), mayNameFigures: feeling.test(said) };
}

const isMarked = (rest: string): boolean => marks.test(rest) || capital.test(rest);

/** Where a remark without a comma may end or begin: "for the accruals I would need …", "… for the board deck". */
export const openings: readonly RegExp[] = [
  /(?<=^(?:for|to) .+)\s(?=(?:(?:i|we)(?:['’]d| would| will)?(?: also| just)? (?:need|want|like|have)|(?:can|could|would|will) (?:you|i|we)|please|pls|show|give|what|how)\b)/giu,
  /\s(?=(?:for (?:the|my|our|an?|this)|(?:so as |in order )?to (?:show|present|prepare|explain|justify|send|forward))\s[^,.;:?!]+[.!?\s]*$)/giu,
];

const messenger = new RegExp(
  `^(?:my |the |our )?(?:${people}) (?:wants?|needs?|asks for|asked for|is asking for|would like)(?: to (?:see|know|have))? (?=\\S)`,
  "iu",
);
/** "My manager wants the payout …": who asks is nothing to the answer. */
export const messengerOf = (text: string): string | undefined => messenger.exec(text)?.[0];
