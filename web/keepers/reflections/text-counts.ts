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

export interface TextCounts {
  text: string
  words: number
  characters: number
}

export const emptyTextCounts: TextCounts = { text: '', words: 0, characters: 0 }

/** Counts only the words around the change, so that typing in a long text stays cheap. */
export function updateTextCounts(previous: TextCounts, text: string): TextCounts {
  if (text === previous.text) return previous
  const { start, previousEnd, end } = findChangedWords(previous.text, text)
  const removed = previous.text.slice(start, previousEnd)
  const added = text.slice(start, end)
  return {
    text,
    words: previous.words - countWords(removed) + countWords(added),
    characters: previous.characters - countCharacters(removed) + countCharacters(added),
  }
}

/** The range that differs, extended to whitespace, which no word and no character spans. */
function findChangedWords(previous: string, text: string) {
  const minLength = Math.min(previous.length, text.length)
  let start = 0
  while (start < minLength && previous.charCodeAt(start) === text.charCodeAt(start)) start++
  let common = 0
  while (
    common < minLength - start &&
    previous.charCodeAt(previous.length - 1 - common) === text.charCodeAt(text.length - 1 - common)
  )
    common++
  while (start > 0 && !isSpace(text.charCodeAt(start - 1))) start--
  while (common > 0 && !isSpace(text.charCodeAt(text.length - common))) common--
  return { start, previousEnd: previous.length - common, end: text.length - common }
}

const isSpace = (code: number) => code === 32 || code === 10
