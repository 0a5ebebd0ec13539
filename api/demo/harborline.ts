import type { Company, DemoPublisher, DemoTarget } from "./company.ts";
import { harborlineCampaigns } from "./harborline-campaigns.ts";

const publishers: readonly DemoPublisher[] = [
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

const targets: readonly DemoTarget[] = [
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

export const harborline: Company = {
  name: "Harborline Performance Media",
  timezone: "America/New_York",
  size: 72,
  publishers,
  buyers: [keystone, grandview, cedarbridge, ironbridge, sunward, fairhaven, clearledger],
  targets,
  campaigns: harborlineCampaigns,
  formulas: [
    {
      name: "Keystone Bid Desk",
      target: "Keystone Senior Benefits East",
      campaigns: ["Medicare Advantage Q4", "Medicare Supplement Plans"],
      bids: 0.66,
      answerMs: 140,
    },
    {
      name: "Grandview Live Bids",
      target: "Grandview Medicare Enrollment Desk",
      campaigns: ["Medicare Advantage Q4", "Medicare Supplement Plans"],
      bids: 0.48,
      answerMs: 310,
    },
    {
      name: "Ironbridge Auction",
      target: "Ironbridge Auto Quote Center",
      campaigns: ["Auto Insurance - English", "Auto Insurance - Spanish"],
      bids: 0.57,
      answerMs: 95,
    },
    {
      name: "Cedarbridge Rate Call",
      target: "Cedarbridge Auto Quote Line",
      campaigns: ["Auto Insurance - English", "Auto Insurance - Spanish"],
      bids: 0.44,
      answerMs: 190,
    },
    {
      name: "Fairhaven Second Chance",
      target: "Fairhaven Final Expense Team B",
      campaigns: ["Final Expense Nationwide"],
      bids: 0.4,
      answerMs: 130,
    },
    {
      name: "Fairhaven Ping Post",
      target: "Fairhaven Final Expense Team A",
      campaigns: ["Final Expense Nationwide"],
      bids: 0.6,
      answerMs: 220,
    },
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
