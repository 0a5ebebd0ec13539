/**
 * Everyday words for publishers, buyers, campaigns and targets, which several subjects share. Words that fit two of them, such as
 * "customer" for callers and buyers, stand with neither.
 */
export const publisherWords: readonly string[] = [
  "affiliate",
  "source",
  "vendor",
  "supplier",
  "pub",
  "partner",
  "(traffic/lead/call/media) (source/partner/vendor/supplier/provider)",
  "(affiliate/publishing/sending/supplying) (partner/company)",
];

export const buyerWords: readonly string[] = ["advertiser", "client", "purchaser", "(call/lead) buyer"];

export const campaignWords: readonly string[] = ["offer", "marketing campaign"];

export const targetWords: readonly string[] = [
  "destination",
  "agent",
  "endpoint",
  "desk",
  "rep",
  "representative",
  "operator",
  "call (center/centre)",
];
