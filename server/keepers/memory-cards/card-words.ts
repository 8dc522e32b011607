/** The words of a card must fit an index entry on every engine. */
const maxCharacters = 200_000
const chunkLength = 20_000
const maxWordLength = 64
const maxQueryWords = 12

const combiningMarks = /\p{M}+/gu
const nonWordPattern = /[^\p{L}\p{N}]+/u
/** Scripts without spaces: each character counts as a word. */
const unspacedScripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

/** `Über 3 Café-Bücher` → uber, 3, cafe, bucher. Texts and queries are compared in this form on both engines. */
export function toNormalizedWords(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(combiningMarks, '')
    .toLowerCase()
    .replace(unspacedScripts, ' $& ')
    .split(nonWordPattern)
    .filter((word) => word !== '')
    .map((word) => [...word.slice(0, 2 * maxWordLength)].slice(0, maxWordLength).join(''))
}

const asciiPattern = /^[0-9A-Za-z]*$/

export function normalizeWord(word: string): string[] {
  return asciiPattern.test(word) ? [word.slice(0, maxWordLength).toLowerCase()] : toNormalizedWords(word)
}

export function getCardWords({ topic, content }: { topic: string | null; content: string }): string {
  const text = `${topic ?? ''} ${content}`
  let searchWords = ''
  // In chunks, to stop at `maxCharacters`: NFKD can expand one character to eighteen.
  for (let start = 0; start < text.length && searchWords.length <= maxCharacters; ) {
    const end = findChunkEnd(text, start)
    searchWords = [searchWords, ...toNormalizedWords(text.slice(start, end))].filter((word) => word !== '').join(' ')
    start = end
  }
  return searchWords.length <= maxCharacters
    ? searchWords
    : searchWords.slice(0, searchWords.lastIndexOf(' ', maxCharacters))
}

function findChunkEnd(text: string, start: number): number {
  const limit = start + chunkLength
  if (limit >= text.length) return text.length
  // Searching the whole text for each chunk would take quadratic time.
  const chunk = text.slice(start, limit + 1)
  const space = Math.max(chunk.lastIndexOf(' '), chunk.lastIndexOf('\n'))
  return space > 0 ? start + space : limit
}

/** Unique words of a query, without search operators; the last one can be a prefix. */
export function getQueryWords(query: string): string[] {
  const searchWords = toNormalizedWords(query)
  const last = searchWords.at(-1)
  const otherWords = [...new Set(searchWords)].filter((word) => word !== last)
  if (last === undefined) return []
  if (otherWords.length < maxQueryWords) return [...otherWords, last]
  // In a long message, long words carry the most information.
  return [...otherWords.toSorted((a, b) => b.length - a.length).slice(0, maxQueryWords - 1), last]
}
