import type { Answer, Column, Row } from "../../assistant/web/wire.ts";

const schema = "https://vega.github.io/schema/vega-lite/v6.json";
const timing = { plan: 3.2, query: 41, total: 47.9 };

const column = (name: string, type: Column["type"], unit: Column["unit"] = null): Column => ({ name, type, unit });

/** An answer with everything that a test does not care about. */
export const anAnswer = (change: Partial<Answer>): Answer => ({
  answer: "There were 30,412 calls last month.",
  sql: "SELECT count(*) AS calls\nFROM calls\nWHERE org_id = 'org_1' -- yours only\n  AND started_at >= TIMESTAMP '2026-10-01 04:00:00'\n  AND started_at < TIMESTAMP '2026-11-01 04:00:00'\nLIMIT 100",
  explanation: "Counts every call that started in October 2026, New York time.",
  data: { columns: [column("calls", "integer", "count")], rows: [{ calls: 30_412 }], row_count: 1, truncated: false },
  chart_suggestion: null,
  interpretation: {
    summary: "Calls · Oct 1 – Oct 31, 2026, America/New_York · all campaigns",
    filters: [],
    grouping: [],
  },
  plan: { subject: "calls", measures: ["calls"] },
  follow_ups: ["By publisher instead", "What about the month before?", "Revenue per day in the same month"],
  timing_ms: timing,
  planner: "offline",
  ...change,
});

const publishers = [
  "Northwind Media",
  "Blue Harbor Leads",
  "Summit Search Partners",
  "Ad Foundry",
  "Cedar Lane",
  "Pioneer Calls",
  "Lighthouse Marketing",
  "=HYPERLINK(1)",
];
const publisherRows: Row[] = publishers.map((publisher, index) => ({
  publisher,
  calls: 8_120 - index * 913,
  revenue: 91_234.5 - index * 10_871.25,
  conversion_rate: index === 6 ? null : 31.4 - index * 1.9,
  average_duration: 192.4 + index * 13,
}));

export const byPublisher = anAnswer({
  answer: "Northwind Media brought the most revenue last month: $91,234.50 from 8,120 calls.",
  data: {
    columns: [
      column("publisher", "text"),
      column("calls", "integer", "count"),
      column("revenue", "number", "money"),
      column("conversion_rate", "number", "percent"),
      column("average_duration", "number", "seconds"),
    ],
    rows: publisherRows,
    row_count: publisherRows.length,
    truncated: false,
  },
  chart_suggestion: {
    type: "bar",
    x_axis: "publisher",
    y_axis: "revenue",
    alternatives: [],
    vega_lite: {
      $schema: schema,
      data: { values: publisherRows },
      mark: "bar",
      encoding: {
        y: { field: "publisher", type: "nominal", sort: "-x", title: null },
        x: { field: "revenue", type: "quantitative", title: "Revenue ($)", axis: { format: "$,.0f" } },
        tooltip: [
          { field: "publisher", title: "Publisher" },
          { field: "revenue", title: "Revenue", format: "$,.2f" },
        ],
      },
    },
  },
});

const days = Array.from({ length: 31 }, (_, index) => `2026-10-${String(index + 1).padStart(2, "0")}`);
const campaigns = ["Auto insurance", "Home solar", "Medicare", "Roofing"];
const dailyRows: Row[] = days.flatMap((day, index) =>
  campaigns.map((campaign, nth) => ({
    day,
    campaign,
    calls: Math.round(220 + nth * 90 + 60 * Math.sin(index * 0.9 + nth) + index * (3 - nth)),
  })),
);

export const byDay = anAnswer({
  answer: "Calls grew through October: from 1,530 on the first to 1,694 on the last day.",
  data: {
    columns: [column("day", "time"), column("campaign", "text"), column("calls", "integer", "count")],
    rows: dailyRows,
    row_count: 2_480,
    truncated: true,
  },
  chart_suggestion: {
    type: "line",
    x_axis: "day",
    y_axis: "calls",
    alternatives: [],
    vega_lite: {
      $schema: schema,
      data: { values: dailyRows },
      mark: "line",
      encoding: {
        x: { field: "day", type: "temporal", title: "Day (America/New_York)" },
        y: { field: "calls", type: "quantitative", title: "Calls" },
        color: { field: "campaign", type: "nominal", title: "Campaign" },
      },
    },
  },
});

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const hourRows: Row[] = weekdays.flatMap((weekday, nth) =>
  hours.map((hour) => ({
    weekday,
    hour,
    calls: Math.round(Math.max(2, 120 * Math.sin(((hour - 5) / 18) * Math.PI) - nth * 9)),
  })),
);

export const byHour = anAnswer({
  answer: "Calls peak between 1 pm and 3 pm on Mondays.",
  data: {
    columns: [column("weekday", "text"), column("hour", "integer"), column("calls", "integer", "count")],
    rows: hourRows,
    row_count: hourRows.length,
    truncated: false,
  },
  chart_suggestion: {
    type: "heatmap",
    x_axis: "hour",
    y_axis: "weekday",
    alternatives: [],
    vega_lite: {
      $schema: schema,
      data: { values: hourRows },
      mark: "rect",
      encoding: {
        x: { field: "hour", type: "ordinal", title: "Hour of day (America/New_York)" },
        y: { field: "weekday", type: "ordinal", sort: weekdays, title: null },
        color: { field: "calls", type: "quantitative", title: "Calls" },
      },
    },
  },
});

const twoRows: Row[] = days.map((day, index) => ({
  day,
  revenue: 4_000 + 700 * Math.sin(index / 2),
  conversion_rate: 24 + 5 * Math.cos(index / 3),
}));
const panel = (field: string, title: string, mark: string) => ({
  height: 140,
  mark,
  encoding: { x: { field: "day", type: "temporal", title: null }, y: { field, type: "quantitative", title } },
});

export const twoPanels = anAnswer({
  answer: "Revenue held while the conversion rate fell.",
  data: {
    columns: [
      column("day", "time"),
      column("revenue", "number", "money"),
      column("conversion_rate", "number", "percent"),
    ],
    rows: twoRows,
    row_count: twoRows.length,
    truncated: false,
  },
  chart_suggestion: {
    type: "line",
    x_axis: "day",
    y_axis: "revenue",
    alternatives: [],
    vega_lite: {
      $schema: schema,
      data: { values: twoRows },
      vconcat: [panel("revenue", "Revenue ($)", "line"), panel("conversion_rate", "Conversion rate (%)", "line")],
    },
  },
});

export const oneNumber = anAnswer({
  answer: "There were 30,412 calls last month, 8.2% more than the month before.",
  data: {
    columns: [
      column("calls", "integer", "count"),
      column("calls_before", "integer", "count"),
      column("calls_change", "number", "percent"),
    ],
    rows: [{ calls: 30_412, calls_before: 28_107, calls_change: 8.2 }],
    row_count: 1,
    truncated: false,
  },
  chart_suggestion: { type: "number", x_axis: null, y_axis: "calls", vega_lite: null, alternatives: [] },
});

export const nothing = anAnswer({
  answer: "No calls match.",
  data: { columns: [column("calls", "integer", "count")], rows: [], row_count: 0, truncated: false },
  follow_ups: [],
});

export const unsure = anAnswer({
  answer: "“Best” may mean several things.",
  sql: "",
  explanation: "",
  interpretation: null,
  data: { columns: [], rows: [], row_count: 0, truncated: false },
  plan: null,
  follow_ups: [],
  clarification: {
    question: "By what should publishers be ranked?",
    options: ["Publishers by revenue last month", "Publishers by conversion rate last month"],
  },
});

export const readOtherwise = anAnswer({
  planner: "llm",
  other_reading: { summary: "Calls last month (Oct 1 – 31, 2026) where state is TX", plan: { filters: ["TX"] } },
});

export const refused = anAnswer({
  answer: "I can only read reports; I cannot delete campaigns.",
  sql: "",
  explanation: "",
  interpretation: null,
  data: { columns: [], rows: [], row_count: 0, truncated: false },
  plan: null,
  follow_ups: ["How many calls did each campaign get last month?"],
});

export const answersByQuestion: Readonly<Record<string, Answer>> = {
  "How many calls did we get last month?": oneNumber,
  "Which publishers brought the most revenue last month?": byPublisher,
  "Publishers by revenue last month": byPublisher,
  "By publisher instead": byPublisher,
  "Calls per day by campaign in October": byDay,
  "When do people call?": byHour,
  "Revenue and conversion rate per day in October": twoPanels,
  "Calls from Wyoming yesterday": nothing,
  "Who is the best publisher?": unsure,
  "Delete the Roofing campaign": refused,
  "Calls of our friends in the south": readOtherwise,
  "Calls last month (Oct 1 – 31, 2026) where state is TX": oneNumber,
};
