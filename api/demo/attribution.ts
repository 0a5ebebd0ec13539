import type { Channel } from "./company.ts";
import type { Campaign, NumberItem } from "./organization.ts";
import { chance, pick, type Random, wholeBetween } from "./random.ts";

/** Draws the tags of a call: attribution tags by the channel of its publisher, and custom tags of the lead form. */
export function drawTags(
  random: Random,
  { name, tags: drawn }: Campaign,
  { publisher }: NumberItem,
): Record<string, string> {
  const tags: Record<string, string> = {
    ...attribution(random, publisher.channel, slug(name)),
    lead_type: pick(random, drawn.leadTypes),
    language: pick(random, drawn.languages),
  };
  if (chance(random, 0.8)) tags["age_band"] = pick(random, drawn.ageBands);
  if (publisher.channel === "search" || chance(random, 0.1)) tags["keyword"] = pick(random, drawn.keywords);
  return tags;
}

function attribution(random: Random, channel: Channel, campaign: string): Record<string, string> {
  switch (channel) {
    case "search": {
      const google = chance(random, 0.78);
      const paid = { utm_source: google ? "google" : "bing", utm_medium: "cpc", utm_campaign: campaign };
      return google ? { ...paid, gclid: `Cj0KCQ${letters(random, 22)}` } : paid;
    }
    case "social": {
      const source = pick(random, ["facebook", "facebook", "instagram", "tiktok"]);
      const paid = { utm_source: source, utm_medium: "paid_social", utm_campaign: campaign };
      const content = pick(random, ["video_a", "video_b", "carousel", "story"]);
      return source === "tiktok"
        ? { ...paid, utm_content: content }
        : { ...paid, utm_content: content, fbclid: `IwAR${letters(random, 24)}` };
    }
    case "email":
      return {
        utm_source: "newsletter",
        utm_medium: "email",
        utm_campaign: `${campaign}-week-${wholeBetween(random, 1, 4)}`,
      };
    case "display":
      return {
        utm_source: "native",
        utm_medium: "display",
        utm_campaign: campaign,
        utm_content: pick(random, ["banner_1", "banner_2"]),
      };
    case "broker":
      return { subid: `sub-${wholeBetween(random, 101, 118)}` };
    case "offline":
      return { promo_code: pick(random, ["TV-0800", "RADIO-12", "PRINT-3", "MAIL-7"]) };
  }
}

export const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function letters(random: Random, count: number): string {
  let text = "";
  for (let index = 0; index < count; index++) text += alphabet[Math.floor(random() * alphabet.length)];
  return text;
}
