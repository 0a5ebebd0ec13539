import { expect, it } from "vitest";
import { readEvents } from "../../../assistant/web/client.ts";

const bodyOf = (text: string, size: number): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
};

const text = 'event: planning\ndata: {}\n\nevent: done\ndata: {"answer":"Zoë 🌊\\n\\n"}\n\nevent: cut';

it.each([1, 7, 1000])("events are read from pieces of %i bytes, what is cut at the end is none", async (size) => {
  const events = [];
  for await (const event of readEvents(bodyOf(text, size))) events.push(event);
  expect(events).toEqual([
    { event: "planning", data: {} },
    { event: "done", data: { answer: "Zoë 🌊\n\n" } },
  ]);
});
