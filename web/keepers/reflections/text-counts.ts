// These scripts have no spaces, so each of their characters counts as a word.
const spacelessCharacter = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`
const letters = String.raw`(?:(?!${spacelessCharacter})[\p{L}\p{M}\p{N}])+`
const wordPattern = new RegExp(`${spacelessCharacter}|${letters}(?:['’‑-]${letters})*`, 'gu')

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
  const shorterLength = Math.min(previous.length, text.length)
  let start = 0
  while (start < shorterLength && previous.charCodeAt(start) === text.charCodeAt(start)) start++
  let commonEndLength = 0
  while (
    commonEndLength < shorterLength - start &&
    previous.charCodeAt(previous.length - 1 - commonEndLength) === text.charCodeAt(text.length - 1 - commonEndLength)
  )
    commonEndLength++
  while (start > 0 && !isSpaceOrLineBreak(text.charCodeAt(start - 1))) start--
  while (commonEndLength > 0 && !isSpaceOrLineBreak(text.charCodeAt(text.length - commonEndLength))) commonEndLength--
  return { start, previousEnd: previous.length - commonEndLength, end: text.length - commonEndLength }
}

const isSpaceOrLineBreak = (charCode: number) => charCode === 32 || charCode === 10
