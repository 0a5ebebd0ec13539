import { describe, expect, it } from "vitest";
import { isFocusShortcut, nextIndex } from "../../../assistant/web/keyboard.ts";

describe("arrows in a row of choices", () => {
  it.each([
    ["ArrowDown", 1, 2],
    ["ArrowRight", 1, 2],
    ["ArrowUp", 1, 0],
    ["ArrowLeft", 1, 0],
    ["End", 0, 3],
    ["Home", 3, 0],
    ["ArrowDown", 3, null],
    ["ArrowUp", 0, null],
    ["Home", 0, null],
    ["Enter", 1, null],
  ])("%s leads from index %d to %s of four", (key, index, next) => {
    expect(nextIndex(key, { index, count: 4 })).toBe(next);
  });
});

describe("the shortcut that focuses the box", () => {
  const none = { ctrlKey: false, metaKey: false, altKey: false };
  it.each([
    [{ ...none, key: "/" }, false, true],
    [{ ...none, key: "/" }, true, false],
    [{ ...none, key: "k", ctrlKey: true }, true, true],
    [{ ...none, key: "K", metaKey: true }, false, true],
    [{ ...none, key: "k", ctrlKey: true, altKey: true }, false, false],
    [{ ...none, key: "/", ctrlKey: true }, false, false],
    [{ ...none, key: "k" }, false, false],
  ])("%o while typing is %s: %s", (press, isTyping, expected) => {
    expect(isFocusShortcut(press, isTyping)).toBe(expected);
  });
});
