const figure = /\d+(?:[.,]\d+)*/g;
const plain = (text: string): string => text.replaceAll(",", "");

/** True where a model's sentence has figures that are not known, which would be taken for the data's. */
export const hasOwnFigures = (sentence: string, known: string): boolean =>
  (sentence.match(figure) ?? []).some((each) => !plain(known).includes(plain(each)));
