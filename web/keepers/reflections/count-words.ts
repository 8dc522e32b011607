/** A sign of these scripts counts as a word, as nothing stands between their words. */
const words =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}])+(?:['’‑-](?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}])+)*/gu

const pairs = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g

export function countWords(text: string): number {
  let count = 0
  words.lastIndex = 0
  while (words.test(text)) count++
  return count
}

/** As they are read, not as they are stored: 🌊 is one. */
export function countCharacters(text: string): number {
  return text.length - (text.match(pairs)?.length ?? 0)
}
