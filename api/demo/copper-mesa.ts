import type { CampaignTags, Company, CompanyPublisher, CompanyTarget } from "./company.ts";

const publishers: readonly CompanyPublisher[] = [
  { name: "Saguaro Local Search", channel: "search", quality: 1.2 },
  { name: "Trailhead Marketing", channel: "display", quality: 0.9 },
  { name: "Juniper Lead Works", channel: "broker", quality: 0.8 },
  { name: "Canyon Click Collective", channel: "search", quality: 1 },
  { name: "High Plains Radio", channel: "offline", quality: 1.3 },
  { name: "Painted Sky Promotions", channel: "social", quality: 0.7 },
];

const sandstone = "Sandstone Roofing Crews";
const rapidDrain = "Rapid Drain Plumbers";
const scorpion = "Scorpion Shield Pest";
const bigWindow = "Big Mesa Windows";
const whitfield = "Whitfield Injury Lawyers";

const targets: readonly CompanyTarget[] = [
  { name: "Sandstone Roofing Phoenix Yard", buyer: sandstone, revenue: 64, seconds: 90, answers: 0.9 },
  { name: "Sandstone Roofing Tucson Yard", buyer: sandstone, revenue: 58, seconds: 90, answers: 0.83 },
  { name: "Rapid Drain Dispatch North", buyer: rapidDrain, revenue: 41, seconds: 60, answers: 0.95 },
  { name: "Rapid Drain Dispatch South", buyer: rapidDrain, revenue: 39, seconds: 60, answers: 0.93 },
  { name: "Rapid Drain Night Dispatch", buyer: rapidDrain, revenue: 47, seconds: 60, answers: 0.81 },
  { name: "Scorpion Shield Booking Desk", buyer: scorpion, revenue: 18, seconds: 60, answers: 0.92 },
  { name: "Scorpion Shield Las Vegas Desk", buyer: scorpion, revenue: 16.25, seconds: 60, answers: 0.88, sip: true },
  { name: "Big Mesa Window Estimates", buyer: bigWindow, revenue: 55, seconds: 120, answers: 0.85 },
  { name: "Big Mesa Window Showroom", buyer: bigWindow, revenue: 9, seconds: 0, answers: 0.76 },
  { name: "Whitfield Injury Intake", buyer: whitfield, revenue: 145, seconds: 120, answers: 0.91 },
  { name: "Whitfield Injury Night Intake", buyer: whitfield, revenue: 120, seconds: 120, answers: 0.79 },
];

const homeTags: CampaignTags = {
  keywords: ["near me", "same day service", "free estimate", "licensed contractor"],
  leadTypes: ["homeowner", "homeowner", "landlord", "renter"],
  languages: ["en", "en", "en", "es"],
  ageBands: ["25-34", "35-44", "45-54", "55-64", "65-69"],
};

export const copperMesa: Company = {
  name: "Copper Mesa Calls",
  timezone: "America/Denver",
  size: 28,
  tollFreeCode: "888",
  firstPool: 12,
  publishers,
  buyers: [sandstone, rapidDrain, scorpion, bigWindow, whitfield],
  targets,
  campaigns: [
    {
      name: "Roof Repair Southwest",
      traffic: { volume: 26, growth: 0.4, rhythm: "office", talkSeconds: 150, menuSeconds: 0 },
      states: ["AZ", "NM", "NV", "UT", "CO"],
      payout: { dollars: 40, seconds: 90 },
      publishers: [
        { publisher: "Saguaro Local Search", share: 45, areaCode: "480" },
        { publisher: "Trailhead Marketing", share: 25, areaCode: "505" },
        { publisher: "Juniper Lead Works", share: 30, areaCode: "801", percentage: 64, asksFirst: true },
      ],
      routes: [
        ["Sandstone Roofing Phoenix Yard", 0, 70],
        ["Sandstone Roofing Tucson Yard", 0, 30],
      ],
      bidders: ["Sandstone Instant Offer", "Sandstone Tucson Offer"],
      webhooks: ["Job board sync"],
      tags: { ...homeTags, keywords: ["roof leak repair", "roofers near me", "tile roof repair", "hail damage roof"] },
    },
    {
      name: "Emergency Plumbing 24-7",
      traffic: { volume: 34, growth: 0.5, rhythm: "always", talkSeconds: 100, menuSeconds: 0 },
      states: [],
      payout: { dollars: 27, seconds: 60 },
      publishers: [
        { publisher: "Saguaro Local Search", share: 30, areaCode: "303" },
        { publisher: "Canyon Click Collective", share: 32, areaCode: "206" },
        { publisher: "Juniper Lead Works", share: 38, areaCode: "512", asksFirst: true },
      ],
      routes: [
        ["Rapid Drain Dispatch North", 0, 50],
        ["Rapid Drain Dispatch South", 0, 50],
        ["Rapid Drain Night Dispatch", 1, 10],
      ],
      bidders: ["Rapid Drain Zip Offer", "Rapid Drain Night Offer"],
      webhooks: ["Job board sync", "Dispatcher alert"],
      tags: { ...homeTags, keywords: ["emergency plumber", "burst pipe", "drain cleaning", "water heater repair"] },
    },
    {
      name: "Pest Control Desert States",
      traffic: { volume: 18, growth: -0.3, rhythm: "office", talkSeconds: 95, menuSeconds: 6 },
      states: ["AZ", "NV", "NM", "TX", "CA"],
      payout: { dollars: 11.5, seconds: 60 },
      publishers: [
        { publisher: "Canyon Click Collective", share: 40, areaCode: "928" },
        { publisher: "Painted Sky Promotions", share: 60, areaCode: "775" },
      ],
      routes: [
        ["Scorpion Shield Booking Desk", 0, 60],
        ["Scorpion Shield Las Vegas Desk", 0, 40],
      ],
      webhooks: ["Booked job to accounting"],
      tags: { ...homeTags, keywords: ["scorpion control", "termite inspection", "exterminator near me"] },
    },
    {
      name: "Window Replacement Spring",
      traffic: { volume: 12, growth: 0.1, rhythm: "evening", talkSeconds: 190, menuSeconds: 0 },
      states: ["CO", "UT", "WY", "ID", "MT", "KS", "NE"],
      payout: { dollars: 36, seconds: 120 },
      publishers: [
        { publisher: "Trailhead Marketing", share: 50, areaCode: "719" },
        { publisher: "High Plains Radio", share: 50, areaCode: "307", percentage: 66 },
      ],
      routes: [
        ["Big Mesa Window Estimates", 0, 10],
        ["Big Mesa Window Showroom", 1, 10],
      ],
      webhooks: ["Booked job to accounting", "Missed call text back"],
      tags: { ...homeTags, keywords: ["replacement windows", "double pane windows", "window installers"] },
    },
    {
      name: "Personal Injury Hotline",
      traffic: { volume: 10, growth: 0.6, rhythm: "always", talkSeconds: 230, menuSeconds: 11 },
      states: ["CA", "TX", "FL", "GA", "NV", "AZ", "IL"],
      payout: { dollars: 95, seconds: 120 },
      publishers: [
        { publisher: "High Plains Radio", share: 35, areaCode: "402" },
        { publisher: "Painted Sky Promotions", share: 30, areaCode: "916" },
        { publisher: "Juniper Lead Works", share: 35, areaCode: "469", percentage: 60, asksFirst: true },
      ],
      routes: [
        ["Whitfield Injury Intake", 0, 10],
        ["Whitfield Injury Night Intake", 1, 10],
      ],
      bidders: ["Whitfield Case Offer"],
      webhooks: ["Job board sync", "Missed call text back", "Quality check at one minute"],
      tags: {
        keywords: ["car accident lawyer", "injury attorney free consultation", "truck accident lawyer"],
        leadTypes: ["auto_accident", "truck_accident", "workplace", "slip_and_fall"],
        languages: ["en", "en", "es"],
        ageBands: ["18-24", "25-34", "35-44", "45-54", "55-64"],
      },
    },
  ],
  formulas: [
    { name: "Sandstone Instant Offer", target: "Sandstone Roofing Phoenix Yard", bids: 0.62, answerMs: 180 },
    { name: "Sandstone Tucson Offer", target: "Sandstone Roofing Tucson Yard", bids: 0.42, answerMs: 240 },
    { name: "Rapid Drain Zip Offer", target: "Rapid Drain Dispatch North", bids: 0.7, answerMs: 80 },
    { name: "Rapid Drain Night Offer", target: "Rapid Drain Night Dispatch", bids: 0.35, answerMs: 420 },
    { name: "Whitfield Case Offer", target: "Whitfield Injury Intake", bids: 0.5, answerMs: 260 },
  ],
  webhooks: [
    { name: "Job board sync", event: "call.completed", path: "/jobs/sync" },
    { name: "Dispatcher alert", event: "call.hangup", path: "/dispatch/alert" },
    { name: "Booked job to accounting", event: "call.converted", path: "/books/jobs" },
    { name: "Missed call text back", event: "call.failure", path: "/texts/missed" },
    { name: "Quality check at one minute", event: "call.on_60_secs_mark", path: "/checks/minute" },
  ],
};
