import type { Item } from "../link/item.ts";
import { type Reading, senses } from "./reading.ts";

type Read = Pick<Reading, "items" | "subject">;

/** "By caller language": of whom the language is, not a second grouping. */
export const withCallersOwn = (reading: Read): readonly Item[] =>
  reading.items.map((item, index) => {
    const isCaller = /^(?:caller|callers?['’]s?)$/i.test(item.said);
    const isNext = senses(reading, index + 1).some((each) => each.kind === "dimension" && each.name !== "caller");
    return isCaller && isNext ? { from: item.from, to: item.to, said: item.said, kind: "stop" } : item;
  });
