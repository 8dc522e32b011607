// Each Han, Hiragana or Katakana character counts as a word, because these scripts have no spaces.
const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}])+(?:['’‑-](?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}])+)*/gu

const surrogatePairs = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g

export function countWords(text: string): number {
  let count = 0
  wordPattern.lastIndex = 0
  while (wordPattern.test(text)) count++
  return count
}

/** Counts code points: 🌊 is one character. */
export function countCharacters(text: string): number {
  return text.length - (text.match(surrogatePairs)?.length ?? 0)
}
