import type { CampaignTags, Company, CompanyCampaign, CompanyPublisher, CompanyTarget } from "./company.ts";

const publishers: readonly CompanyPublisher[] = [
  { name: "Lantern Search Media", channel: "search", quality: 1.25 },
  { name: "BrightPath Digital", channel: "search", quality: 1.1 },
  { name: "Quill and Compass Media", channel: "display", quality: 0.8 },
  { name: "Northshore Leads", channel: "broker", quality: 0.9 },
  { name: "Pinecrest Publishing", channel: "offline", quality: 1.3 },
  { name: "Redwood Affiliate Network", channel: "broker", quality: 0.65 },
  { name: "Summit Call Traffic", channel: "broker", quality: 1 },
  { name: "Blue Heron Social", channel: "social", quality: 0.75 },
  { name: "Everwell Email Group", channel: "email", quality: 0.95 },
];

const keystone = "Keystone Senior Benefits";
const grandview = "Grandview Health Plans";
const cedarbridge = "Cedarbridge Mutual";
const ironbridge = "Ironbridge Auto Insurance";
const sunward = "Sunward Energy";
const fairhaven = "Fairhaven Life";
const clearledger = "ClearLedger Debt Relief";

const targets: readonly CompanyTarget[] = [
  { name: "Keystone Senior Benefits East", buyer: keystone, revenue: 52, seconds: 90, answers: 0.93 },
  { name: "Keystone Senior Benefits West", buyer: keystone, revenue: 50, seconds: 90, answers: 0.9 },
  { name: "Grandview Medicare Enrollment Desk", buyer: grandview, revenue: 61.5, seconds: 120, answers: 0.88 },
  { name: "Grandview Medicare Overflow Desk", buyer: grandview, revenue: 44, seconds: 90, answers: 0.8, sip: true },
  { name: "Cedarbridge Auto Quote Line", buyer: cedarbridge, revenue: 24, seconds: 90, answers: 0.94 },
  { name: "Cedarbridge Auto Spanish Line", buyer: cedarbridge, revenue: 27.5, seconds: 90, answers: 0.86 },
  { name: "Ironbridge Auto Quote Center", buyer: ironbridge, revenue: 22, seconds: 60, answers: 0.9 },
  { name: "Ironbridge Spanish Quote Center", buyer: ironbridge, revenue: 25, seconds: 60, answers: 0.84, sip: true },
  { name: "Sunward Solar Boston Office", buyer: sunward, revenue: 78, seconds: 120, answers: 0.87 },
  { name: "Sunward Solar Albany Office", buyer: sunward, revenue: 70, seconds: 120, answers: 0.78 },
  { name: "Fairhaven Final Expense Team A", buyer: fairhaven, revenue: 36, seconds: 90, answers: 0.92 },
  { name: "Fairhaven Final Expense Team B", buyer: fairhaven, revenue: 34, seconds: 60, answers: 0.88 },
  { name: "ClearLedger Debt Hotline", buyer: clearledger, revenue: 48, seconds: 120, answers: 0.89 },
  { name: "ClearLedger Debt Evening Desk", buyer: clearledger, revenue: 40, seconds: 90, answers: 0.82 },
];

const seniorTags: CampaignTags = {
  keywords: ["medicare advantage plans", "medicare open enrollment", "medicare dental coverage", "plans near me"],
  leadTypes: ["new_enrollment", "plan_change", "turning_65"],
  languages: ["en", "en", "en", "es"],
  ageBands: ["60-64", "65-69", "65-69", "70-74", "75+"],
};
const autoTags: CampaignTags = {
  keywords: ["cheap car insurance", "auto insurance quote", "sr22 insurance", "car insurance near me"],
  leadTypes: ["new_policy", "switching", "uninsured"],
  languages: ["en"],
  ageBands: ["18-24", "25-34", "35-44", "45-54", "55-64"],
};

const campaigns: readonly CompanyCampaign[] = [
  {
    name: "Medicare Advantage Q4",
    traffic: { volume: 30, growth: 0.9, rhythm: "office", talkSeconds: 190, menuSeconds: 9 },
    states: [],
    payout: { dollars: 38, seconds: 90 },
    publishers: [
      { publisher: "Lantern Search Media", share: 34, areaCode: "212" },
      { publisher: "Pinecrest Publishing", share: 14, areaCode: "312" },
      { publisher: "Northshore Leads", share: 26, areaCode: "305", asksFirst: true },
      { publisher: "Redwood Affiliate Network", share: 18, areaCode: "213", percentage: 62, asksFirst: true },
      { publisher: "Everwell Email Group", share: 8, areaCode: "404" },
    ],
    routes: [
      ["Keystone Senior Benefits East", 0, 60],
      ["Keystone Senior Benefits West", 0, 40],
      ["Grandview Medicare Enrollment Desk", 1, 10],
      ["Grandview Medicare Overflow Desk", 2, 10],
    ],
    bidders: ["Keystone Bid Desk", "Grandview Live Bids"],
    webhooks: ["Post completed calls to CRM", "Report conversions to ad platform"],
    tags: seniorTags,
  },
  {
    name: "Medicare Supplement Plans",
    traffic: { volume: 13, growth: 0.2, rhythm: "office", talkSeconds: 170, menuSeconds: 9 },
    states: ["FL", "TX", "PA", "OH", "NC", "GA"],
    payout: { dollars: 33, seconds: 90 },
    publishers: [
      { publisher: "BrightPath Digital", share: 45, areaCode: "215" },
      { publisher: "Pinecrest Publishing", share: 25, areaCode: "614" },
      { publisher: "Summit Call Traffic", share: 30, areaCode: "704", asksFirst: true },
    ],
    routes: [
      ["Grandview Medicare Enrollment Desk", 0, 70],
      ["Keystone Senior Benefits East", 0, 30],
      ["Grandview Medicare Overflow Desk", 1, 10],
    ],
    bidders: ["Keystone Bid Desk", "Grandview Live Bids"],
    webhooks: ["Post completed calls to CRM", "Alert on failed calls"],
    tags: seniorTags,
  },
  {
    name: "Auto Insurance - English",
    traffic: { volume: 22, growth: 0.3, rhythm: "evening", talkSeconds: 120, menuSeconds: 0 },
    states: [],
    payout: { dollars: 15, seconds: 60 },
    publishers: [
      { publisher: "Lantern Search Media", share: 30, areaCode: "646" },
      { publisher: "Blue Heron Social", share: 25, areaCode: "818" },
      { publisher: "Redwood Affiliate Network", share: 27, areaCode: "713", percentage: 65 },
      { publisher: "Summit Call Traffic", share: 18, areaCode: "602", asksFirst: true },
    ],
    routes: [
      ["Cedarbridge Auto Quote Line", 0, 50],
      ["Ironbridge Auto Quote Center", 0, 50],
    ],
    bidders: ["Ironbridge Auction", "Cedarbridge Rate Call"],
    webhooks: ["Post completed calls to CRM", "Report conversions to ad platform"],
    tags: autoTags,
  },
  {
    name: "Auto Insurance - Spanish",
    traffic: { volume: 11, growth: 1.1, rhythm: "evening", talkSeconds: 125, menuSeconds: 6 },
    states: ["CA", "TX", "FL", "NY", "AZ", "NJ", "IL"],
    payout: { dollars: 17.5, seconds: 60 },
    publishers: [
      { publisher: "Blue Heron Social", share: 55, areaCode: "786" },
      { publisher: "BrightPath Digital", share: 25, areaCode: "210" },
      { publisher: "Northshore Leads", share: 20, areaCode: "323", percentage: 60, asksFirst: true },
    ],
    routes: [
      ["Cedarbridge Auto Spanish Line", 0, 60],
      ["Ironbridge Spanish Quote Center", 0, 40],
      ["Cedarbridge Auto Quote Line", 1, 10],
    ],
    bidders: ["Ironbridge Auction", "Cedarbridge Rate Call"],
    webhooks: ["Report conversions to ad platform", "Screen pop on connect"],
    tags: {
      ...autoTags,
      keywords: ["seguro de auto barato", "cotizar seguro de auto", "aseguranza de carro"],
      languages: ["es"],
    },
  },
  {
    name: "Home Solar Northeast",
    traffic: { volume: 9, growth: -0.4, rhythm: "office", talkSeconds: 215, menuSeconds: 12 },
    states: ["NY", "NJ", "MA", "CT", "RI", "NH", "VT", "ME", "PA"],
    payout: { dollars: 52, seconds: 120 },
    publishers: [
      { publisher: "Lantern Search Media", share: 40, areaCode: "617" },
      { publisher: "Quill and Compass Media", share: 35, areaCode: "518" },
      { publisher: "Everwell Email Group", share: 25, areaCode: "203", percentage: 70 },
    ],
    routes: [
      ["Sunward Solar Boston Office", 0, 65],
      ["Sunward Solar Albany Office", 0, 35],
    ],
    webhooks: ["Post completed calls to CRM", "Mark thirty seconds of talk"],
    tags: {
      keywords: ["solar panels cost", "solar installers near me", "solar tax credit"],
      leadTypes: ["homeowner", "homeowner", "renter"],
      languages: ["en"],
      ageBands: ["25-34", "35-44", "45-54", "55-64", "65-69"],
    },
  },
  {
    name: "Final Expense Nationwide",
    traffic: { volume: 10, growth: 0.1, rhythm: "office", talkSeconds: 165, menuSeconds: 0 },
    states: [],
    payout: { dollars: 24, seconds: 90 },
    publishers: [
      { publisher: "Pinecrest Publishing", share: 40, areaCode: "901" },
      { publisher: "Everwell Email Group", share: 22, areaCode: "502" },
      { publisher: "Summit Call Traffic", share: 38, areaCode: "816", percentage: 68, asksFirst: true },
    ],
    routes: [
      ["Fairhaven Final Expense Team A", 0, 10],
      ["Fairhaven Final Expense Team B", 1, 10],
    ],
    bidders: ["Fairhaven Second Chance", "Fairhaven Ping Post"],
    webhooks: ["Post completed calls to CRM"],
    tags: {
      keywords: ["burial insurance", "final expense insurance", "life insurance over 60"],
      leadTypes: ["new_policy", "second_policy"],
      languages: ["en"],
      ageBands: ["55-64", "65-69", "70-74", "75+"],
    },
  },
  {
    name: "Debt Settlement Evenings",
    traffic: { volume: 6, growth: 0, rhythm: "evening", talkSeconds: 180, menuSeconds: 7 },
    states: ["CA", "TX", "FL", "GA", "NC", "VA", "AZ"],
    payout: { dollars: 29, seconds: 90 },
    publishers: [
      { publisher: "Quill and Compass Media", share: 55, areaCode: "702" },
      { publisher: "Blue Heron Social", share: 45, areaCode: "919" },
    ],
    routes: [
      ["ClearLedger Debt Hotline", 0, 10],
      ["ClearLedger Debt Evening Desk", 1, 10],
    ],
    webhooks: ["Post completed calls to CRM", "Announce incoming calls"],
    tags: {
      keywords: ["debt settlement", "credit card debt help", "lower my payments"],
      leadTypes: ["under_10k", "10k_to_25k", "over_25k"],
      languages: ["en", "en", "es"],
      ageBands: ["25-34", "35-44", "45-54", "55-64"],
    },
  },
];

export const harborline: Company = {
  name: "Harborline Performance Media",
  timezone: "America/New_York",
  size: 72,
  tollFreeCode: "800",
  firstPool: 0,
  publishers,
  buyers: [keystone, grandview, cedarbridge, ironbridge, sunward, fairhaven, clearledger],
  targets,
  campaigns,
  formulas: [
    { name: "Keystone Bid Desk", target: "Keystone Senior Benefits East", bids: 0.66, answerMs: 140 },
    { name: "Grandview Live Bids", target: "Grandview Medicare Enrollment Desk", bids: 0.48, answerMs: 310 },
    { name: "Ironbridge Auction", target: "Ironbridge Auto Quote Center", bids: 0.57, answerMs: 95 },
    { name: "Cedarbridge Rate Call", target: "Cedarbridge Auto Quote Line", bids: 0.44, answerMs: 190 },
    { name: "Fairhaven Second Chance", target: "Fairhaven Final Expense Team B", bids: 0.4, answerMs: 130 },
    { name: "Fairhaven Ping Post", target: "Fairhaven Final Expense Team A", bids: 0.6, answerMs: 220 },
  ],
  webhooks: [
    { name: "Post completed calls to CRM", event: "call.completed", path: "/crm/calls" },
    { name: "Report conversions to ad platform", event: "call.converted", path: "/ads/conversions" },
    { name: "Alert on failed calls", event: "call.failure", path: "/alerts/failed" },
    { name: "Screen pop on connect", event: "call.connected", path: "/agents/screen-pop" },
    { name: "Mark thirty seconds of talk", event: "call.on_30_secs_mark", path: "/quality/talk", method: "PUT" },
    { name: "Announce incoming calls", event: "call.incoming", path: "/wallboard/incoming", method: "GET" },
  ],
};
