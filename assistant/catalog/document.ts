import { type CatalogDescription, describeCatalog } from "./describe.ts";

type SubjectDescription = CatalogDescription["subjects"][number];

const rules = `# What can be asked

Generated from the catalog; \`npm run catalog\` writes it anew.

Every question is about one kind of record: ${list(describeCatalog().subjects.map(({ label }) => label))}. A question names what to
measure, and may say over which time, by what to group, which records count, how to rank, and what to compare with. Where the
tables below have "(a/b)", one of the two is said; "(a/b)?" may stay unsaid; "~sell" is any form of the verb.

## How time is read

* Times are those of the organization's zone; periods are half-open and days start at midnight. Weeks start on Monday.
* "last week", "last month", "last quarter", "last year": the whole one before the current one. "last 7 days", "last 3 months": so
  many whole ones before the current one, today left out. "last 24 hours": back from now. "today", "this month", "month to date": from its start
  until now. A month or a weekday without more is the most recent one. Seasons are three whole months, such as September to November. No period named: all data.
* A running period that is compared with another is compared with as much of the other one as has passed.
* Grains: ${describeCatalog()
  .grains.map(({ label }) => label)
  .join(", ")}. A series has a row for every bucket of its period, 0 where nothing came.
* Weekdays are Monday to Friday. The day has four parts of six hours: overnight from midnight, morning from 6 am, afternoon from noon, evening
  from 6 pm. "This morning", "yesterday evening" are parts of that day; "last night", "tonight" go from 6 pm to 6 am.

## How groups are read

* Up to three at once, units of time included: "by campaign", "per publisher and day", "for each state".
* A group without a name (a call without a buyer) is a row of its own, but no ranking counts it: "top 5 buyers" are buyers.
* "share of …", "percentage of …" by a group is each group's part of the total. "what percentage of calls came from Texas" is the
  part of all calls for which the condition holds.
* "average calls per day" divides by the days (weeks, hours, …) of the period, those without any calls included.
* "the second best", "third worst": the one that many places behind the first.
* "publishers whose revenue dropped", "fewer calls than last month": those groups alone, the furthest first.
* "7 day moving average": of each day the mean of it and the six before, of those in the period.
* "running total", "cumulative": every bucket with all before it. "change", "growth" over a unit of time: each bucket against the one before; the first has none.
* A fact of each record can be a group too: its values are yes and no.

## How conditions are read

* "over", "more than", "longer than" leave the number itself out, "at least" takes it; "between 2 and 5 minutes" takes both ends,
  "from the 5th through the 9th" both days.
* "not", "without", "excluding" X also keeps the records that have no value there.
* The hour, the part of the day and the weekday are conditions too: "after 6pm", "between 9am and 5pm", "in the morning", "on weekends".
* A condition on a figure ("states with more than 50 calls") counts groups without a name, too; a ranking does not.
* "Business hours" are Monday to Friday, 9 am to 5 pm, and "after hours" all others; "business days" are Monday to Friday.
* Ranges of hours are held against each other ("8am-12pm vs 12pm-5pm", \`hours:8-12:12-17\`), and business hours against all others
  ("in working hours vs the rest", \`hours:work\`).
* What several kinds of records have ("pings", "error rate") is asked back, unless other words of the question tell.

## Distributions

Every quantity below can be a group, cut into steps of one width: "distribution of call duration", "histogram of revenue per call", "calls
by duration in buckets of 30 seconds" (\`bin:duration:30\`). A step is named by its lower end, which it takes in; the upper end begins the
next one. Without a width a round one is chosen by the range that nearly all values have. Records without that quantity are left out.

## Statistics

Of every quantity below: average, median, minimum, maximum, total, standard deviation (of a sample) and any percentile ("90th percentile of duration", "p95 talk time");
between two observed values percentiles and medians are interpolated.
Of every dimension: how many different values ("how many different states").
`;

/** The catalog as a page of Markdown. */
export function documentCatalog(): string {
  return [rules, ...describeCatalog().subjects.map(documentSubject)].join("\n");
}

function documentSubject(subject: SubjectDescription): string {
  const { label, name, time, synonyms, measures, dimensions, flags, quantities } = subject;
  return `## ${label.charAt(0).toUpperCase()}${label.slice(1)}

Table \`${name}\`, by \`${time}\`. Also said: ${synonyms.slice(1).join(", ")}.

| measure | unit | means | also said |
|---|---|---|---|
${measures.map((each) => row([`${each.label} (\`${each.name}\`)`, each.unit, each.definition, each.synonyms.join(", ")])).join("\n")}

| group or filter by | column | means | also said |
|---|---|---|---|
${dimensions.map((each) => row([`${each.label} (\`${each.name}\`)`, `\`${each.column}\``, each.definition, [...each.synonyms, ...each.values.map(({ value, words }) => `${value}: ${words.join(", ")}`)].join("; ")])).join("\n")}
${subject.has_tags ? "| any tag (`tag:key`) | `tags` | The value of a tag, by the tag's key, such as utm_source. | |\n" : ""}
${facts(flags, quantities)}A list of single ${label} ("last 20 ${label}", "list …") shows ${subject.listing.map((column) => `\`${column}\``).join(", ")}.
`;
}

function facts(flags: SubjectDescription["flags"], quantities: SubjectDescription["quantities"]): string {
  const named = flags.map((each) =>
    row([
      `${each.label} (\`${each.name}\`)`,
      "yes or no",
      each.definition,
      [...each.synonyms, ...each.opposites.map((word) => `opposite: ${word}`)].join(", "),
    ]),
  );
  const numbers = quantities.map((each) =>
    row([`${each.label} (\`${each.name}\`)`, each.unit, each.definition, each.synonyms.join(", ")]),
  );
  return `| fact of each record | unit | means | also said |\n|---|---|---|---|\n${[...named, ...numbers].join("\n")}\n\n`;
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

function list(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1) ?? ""}`;
}
