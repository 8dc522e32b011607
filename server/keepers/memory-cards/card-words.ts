/** Per card, so that its words fit an index entry on every engine. */
const mostCharacters = 200_000
const partLength = 20_000
const longestWord = 64
const mostAskedFor = 12

const marks = /\p{M}+/gu
const noWord = /[^\p{L}\p{N}]+/u
/** Scripts without spaces: each character counts as a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

/** `Über 3 Café-Bücher` → uber, 3, cafe, bucher. Texts and queries are compared in this form on both engines. */
export function foldedWords(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(unspaced, ' $& ')
    .split(noWord)
    .filter((word) => word !== '')
    .map((word) => [...word.slice(0, 2 * longestWord)].slice(0, longestWord).join(''))
}

const ascii = /^[0-9A-Za-z]*$/

/** Fast path for a single ASCII word, which most are. */
export function foldedWord(word: string): string[] {
  return ascii.test(word) ? [word.slice(0, longestWord).toLowerCase()] : foldedWords(word)
}

export function wordsOfCard({ topic, content }: { topic: string | null; content: string }): string {
  const text = `${topic ?? ''} ${content}`
  let words = ''
  // In chunks, because NFKD can expand one character to eighteen, and only the first ones are used.
  for (let start = 0; start < text.length && words.length <= mostCharacters; ) {
    const end = endOfPart(text, start)
    words = [words, ...foldedWords(text.slice(start, end))].filter((word) => word !== '').join(' ')
    start = end
  }
  return words.length <= mostCharacters ? words : words.slice(0, words.lastIndexOf(' ', mostCharacters))
}

/** At a space, unless a word is longer than a chunk. */
function endOfPart(text: string, start: number): number {
  const most = start + partLength
  if (most >= text.length) return text.length
  // Searching the whole text for each chunk would take quadratic time.
  const part = text.slice(start, most + 1)
  const space = Math.max(part.lastIndexOf(' '), part.lastIndexOf('\n'))
  return space > 0 ? start + space : most
}

/** Unique words of a query; the last one can be a prefix. None is an operator. */
export function wordsAskedFor(query: string): string[] {
  const words = foldedWords(query)
  const last = words.at(-1)
  // The last word stays last, as it may be half typed.
  const others = [...new Set(words)].filter((word) => word !== last)
  if (last === undefined) return []
  if (others.length < mostAskedFor) return [...others, last]
  // In a long message, long words carry the most information.
  return [...others.toSorted((a, b) => b.length - a.length).slice(0, mostAskedFor - 1), last]
}
