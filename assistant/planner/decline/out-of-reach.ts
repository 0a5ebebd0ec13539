import { capital } from "../../phrasing/figure.ts";
import { type Item, itemAt, mayBe, meaningsOf } from "../link/item.ts";
import { phrases } from "../words/small-words.ts";
import { toKey, type Word } from "../words/tokenize.ts";

/** What no figure can tell, by the words that ask for it. */
interface Topic {
  readonly words: readonly string[];
  readonly sentence: string;
  /** What is declined for these words alone, however much of the question is understood. */
  readonly isBarred?: true;
}

export const offTopic =
  "I answer questions about your calls, webhook deliveries, incoming webhook requests, RTB requests and changes of the setup, such as “revenue by campaign last month”.";

export const noSecrets =
  "Keys, passwords and other secrets are out of my reach; I report on calls, webhooks and RTB requests.";

export const noForecast = "I report on what has happened; I do not forecast.";

const topics: readonly Topic[] = [
  {
    words: phrases(
      "password, passwd, secret, (access/auth/bearer/jwt)? token, credential, (auth/api/private/access/signing/encryption) key, apikey, " +
        "svc_auth_key, auth_key, env, environment variable, authorization header, auth header, connection string, password hash",
    ),
    sentence: noSecrets,
    isBarred: true,
  },
  {
    words: phrases(
      "(other/another/every/all/each/every other/all other/any other) (organization/org/tenant/customer/company/account/client account), " +
        "(across/of/for) (every/all) (account/organization/org/tenant), other trunkline customer, tenant, competitor, everyone elses, org_id, " +
        "organization id, org id, list organization, organization next to ours, organization filter, org filter, organization 2, org_2",
    ),
    sentence: "I see the data of your own organization, and no other.",
    isBarred: true,
  },
  {
    words: phrases(
      "select, union select, insert into, delete from, drop (table/database/schema/view), truncate table, alter table, create (table/view), " +
        "pragma, attach, install, copy, ddl, schema, information_schema, database, cross join, 1=1, describe information_schema, read_csv, where 1",
    ),
    sentence:
      "I read questions in plain words. SQL of your own runs at /reporting_ai/sql, over your organization's rows alone.",
    isBarred: true,
  },
  {
    words: phrases(
      "system prompt, prompt, your (rule/instruction), (previous/all previous) instruction, instruction, (ignore/forget) (your/all/the) rule, restriction, " +
        "admin mode, platform admin, pretend, act as, word for word, text above",
    ),
    sentence: "I answer questions about your organization's data and follow no other instructions.",
    isBarred: true,
  },
  {
    words: phrases(
      "forecast, predict, prediction, will, wont, tomorrow, next (week/month/quarter/year), expect, expected, projection, projected, going to be, would have been",
    ),
    sentence: noForecast,
    isBarred: true,
  },
  {
    words: phrases(
      "(send/write/draft) (me/us/him/her/them)? (a/an/the)? (cold/apology)? (email/mail/message/text/letter)",
    ),
    sentence: "I only answer questions here; I write and send nothing.",
    isBarred: true,
  },
  // "The numbers should be net": asks for another figure than the one that is named.
  {
    words: phrases(
      "(number/figure/amount/value/total) (should/must/have to/need to) be (net/gross/average/per/percent/share)",
    ),
    sentence:
      "Name the figure itself, such as “profit by publisher”, which is what is left of the revenue after the payout.",
    isBarred: true,
  },
  {
    words: phrases("(log/logged/sign/signed) (in/on/out/into), login, logon, logout"),
    sentence: "Who signs in is not in the data; the audit log has what was changed, when and by whom.",
    isBarred: true,
  },
  {
    words: phrases("why, explain why, how come, what caused"),
    sentence:
      "I can show what happened but not why. Ask for the figures side by side, such as a measure by campaign or by day.",
  },
  {
    words: phrases(
      "transcript, transcribe, transcription, recording, sentiment, angry, rude, polite, friendly, friendliest, sounded, complain, complained, complaint, conversation",
    ),
    sentence: "What was said in a call is not in the data; I know when it came, how long it took and what it brought.",
  },
  {
    words: phrases(
      "invoice, overdue, outstanding, unpaid invoice, owe, owed, owing, owes, balance, credit limit, tax, contract, budget, bank, invoiced, refund, chargeback",
    ),
    sentence:
      "What has been paid, owed or agreed since is not in the data; I know the revenue and the payout of calls.",
  },
  {
    words: phrases(
      "(google/facebook/ad/ads) (ad/click/spend/impression/creative), impression, click, ctr, cpm, cpc spend, ad spend, landing page, website, visitor, bounce rate, " +
        "newsletter, email open, ad creative, roas, ad group",
    ),
    sentence: "Ads and web pages are not in the data; calls are, with the tags that they came in with.",
  },
  {
    words: phrases(
      "satisfaction, satisfied, csat, nps, net promoter score, lifetime value, policy sold, employee, salary, sales rep, salesperson, sick day, on shift",
    ),
    sentence:
      "People and what became of customers are not in the data; it begins with a call and ends with its outcome.",
  },
  {
    words: phrases(
      "caller (age/gender/income/salary/wage/religion/race/credit), (age/gender/income/sex) of (the/our)? caller, caller's (age/gender/income), gender, male, female, " +
        "women, men, household income, credit score, eye color, average age, how old, carrier, line type",
    ),
    sentence: "Of callers I know the number, the area code, the state and the ZIP code, nothing else.",
  },
  {
    words: phrases("euro, eur, gbp, pound sterling, british pound, cad, canadian dollar, yen, peso, rupee"),
    sentence: "Amounts are in US dollars; I convert them to no other currency.",
  },
  {
    words: phrases(
      "(pacific/mountain/central/eastern/standard/daylight) time, pst, pdt, est, edt, cst, cdt, mst, mdt, utc, gmt, time zone, timezone",
    ),
    sentence: "I read and show times in your organization's time zone alone; it is set with the organization.",
  },
  {
    words: phrases(
      "weather, joke, recipe, (translate/write/draft/compose) (a/an/me), translate, recommend, restaurant, super bowl, world cup, stock price, wifi, " +
        "meaning of life, ceo, game",
    ),
    sentence: offTopic,
  },
];

const keyed = topics.map(({ words, sentence, isBarred = false }) => ({
  sentence,
  isBarred,
  phrases: [...new Set(words.map(toKey))].map((key) => key.split(" ")),
}));

interface Said {
  readonly words: readonly Word[];
  readonly items: readonly Item[];
  /** Behind an answer, words such as "remove" and "change to" are about that. */
  readonly follows?: boolean;
}

/** The sentence with which a question is declined whatever else it says: it asks for a secret, a change, or the future. */
export const barred = (said: Said): string | undefined => commandIn(said) ?? topicOf(said, (topic) => topic.isBarred);

/** What a question without a plan asks for that no data tells. */
export const outOfReach = (said: Said): string | undefined => topicOf(said, (topic) => !topic.isBarred);

/** Words that mean something here do not count. */
function topicOf({ words, items }: Said, isMeant: (topic: (typeof keyed)[number]) => boolean): string | undefined {
  const isFree = (at: number) => isWithoutMeaning(itemAt(items, at));
  const isSaid = (parts: readonly string[]) =>
    words.some(
      (_, at) =>
        parts.every((part, step) => words[at + step]?.stem === part) && parts.some((_part, step) => isFree(at + step)),
    );
  return keyed.find((topic) => isMeant(topic) && topic.phrases.some(isSaid))?.sentence;
}

/** Verbs that ask to change something. */
const verbs = new Set(
  phrases(
    "delete, remove, redeliver, resend, replay, update, insert, truncate, alter, create, add, pause, resume, unpause, modify, edit, rename, cancel, disable, enable, " +
      "activate, deactivate, erase, wipe, grant, revoke, rotate, reset, archive, upload, adjust, approve, assign, mute",
  ),
);
/** Those that ask for a change where a thing stands behind them, and that are nouns of reports or verbs of callers elsewhere. */
const nounsToo = new Set(
  phrases(
    "set, block, unblock, refund, raise, lower, mark, email, mail, notify, export, stop, start, switch, turn, clear, kill",
  ),
);
const figures = new Set(
  phrases(
    "call, dial, phone, ring, text, drop, increase, decrease, change, charge, pay, retry, ping, bid, route, transfer, redial, deliver, reject, accept",
  ),
);
const object =
  /^(?:the|a|an|this|that|these|those|all|every|each|any|my|our|your|his|her|their|me|us|him|them|it|everything|on|off)$/;
/** What may stand before a verb that begins what is asked, up to the beginning or to one of the `joints`. */
const leads = phrases(
  "please, pls, plz, now, then, just, also, kindly, right, hi, hey, hello, ok, so, lets, go ahead and, you (should/must), (can/could/would/will) you, " +
    "(i/we) (want/need/like/would like/must/have) (you)? to, how (do/can/could/should/would) (i/we/you/one)",
).map((phrase) => phrase.split(" "));
/** "Pause by campaign", "updates per day": what is reported, not what is done. */
const reports = /^(by|per|each|of|count|rate|up|together)$/;
const joints = new Set([",", "and", "then", "or"]);

function beginsWhatIsAsked(texts: readonly string[], at: number): boolean {
  if (at === 0 || joints.has(texts[at - 1] ?? "")) return true;
  return leads.some(
    (lead) =>
      lead.every((word, step) => texts[at - lead.length + step] === word) && beginsWhatIsAsked(texts, at - lead.length),
  );
}

/** "Pause target X", "and set its payout to 0": a verb begins what is asked, and has an object. */
function commandIn({ words, items, follows = false }: Said): string | undefined {
  const texts = words.map(({ text }) => text);
  const at = words.findIndex(({ text }, index) => {
    if (!verbs.has(text) && !nounsToo.has(text) && !figures.has(text)) return false;
    const item = itemAt(items, index);
    if (!isWithoutMeaning(item) && (item?.from !== index || (follows && !namesThing(items, index)))) return false;
    if (item !== undefined && item.to > index + 1 && meaningsOf(item).some(({ kind }) => kind !== "role")) return false;
    if (!beginsWhatIsAsked(texts, index)) return false;
    if (verbs.has(text)) return !reports.test(texts[index + 1] ?? "");
    return isObject(texts[index + 1], itemAt(items, index + 1), figures.has(text));
  });
  return at < 0
    ? undefined
    : `I only read data and change nothing. ${whereDone(items.filter(({ from }) => from > at))}`;
}

/** "Campaign Solar East": a kind of things, and the name of one. */
const namesThing = (items: readonly Item[], from: number): boolean =>
  items.some((item, at) => item.from > from && mayBe(item, "dimension") && mayBe(items[at + 1], "value"));

const isWithoutMeaning = (item: Item | undefined): boolean =>
  item === undefined || item.kind === "unknown" || item.kind === "stop";

/** A determiner or a name; figures and groups are none where figures are asked ("drop rate", "increase in calls"). */
const isObject = (text = "", item: Item | undefined, isFigure: boolean): boolean =>
  object.test(text) || meaningsOf(item).some(({ kind }) => kind === "value" || (!isFigure && kind !== "role"));

/** Where the API changes the things of a field. */
const collections: Readonly<Record<string, string>> = {
  campaign: "campaigns",
  publisher: "publishers",
  buyer: "buyers",
  target: "targets",
  number: "numbers",
  rtb: "rtbs",
  webhook: "outgoing-webhooks",
};

function whereDone(rest: readonly Item[]): string {
  const names = rest
    .flatMap(meaningsOf)
    .map((each) => (each.kind === "value" || each.kind === "dimension" ? each.name : ""));
  const name = names.find((each) => Object.hasOwn(collections, each));
  const collection = name === undefined ? undefined : collections[name];
  return collection === undefined
    ? "What is set up is changed through the API, under /api/v1."
    : `${capital(collection.replaceAll("-", " "))} are changed through the API, under /api/v1/${collection}.`;
}
