/** One line of text for a terminal: characters that would steer it or turn the direction of writing, as JSON escapes them. */
export const printable = (text: string): string => text.replace(/\p{C}/gu, escaped);

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => {
    const code = character.charCodeAt(index).toString(16);
    return `\\u${code.padStart(4, "0")}`;
  }).join("");
