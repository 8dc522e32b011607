/** Of one card, so that its words fit an index entry on every engine. */
const mostCharacters = 200_000
/** Read at a time. */
const partLength = 20_000
const longestWord = 64
const mostAskedFor = 12

const marks = /\p{M}+/gu
const noWord = /[^\p{L}\p{N}]+/u
/** Written without spaces between words: each character is one. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

/** `Über 3 Café-Bücher` → `uber 3 cafe bucher`: how texts and questions are compared, alike on both engines. */
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

/** The same for what is one word already: most are plain, and a long text has many. */
export function foldedWord(word: string): string[] {
  return ascii.test(word) ? [word.slice(0, longestWord).toLowerCase()] : foldedWords(word)
}

/** What the search by words reads of a card: its topic and its text. */
export function wordsOfCard({ topic, content }: { topic: string | null; content: string }): string {
  const text = `${topic ?? ''} ${content}`
  let words = ''
  // In parts: NFKD makes eighteen characters of one, and all behind the first so many are left out.
  for (let start = 0; start < text.length && words.length <= mostCharacters; ) {
    const end = endOfPart(text, start)
    words = [words, ...foldedWords(text.slice(start, end))].filter((word) => word !== '').join(' ')
    start = end
  }
  return words.length <= mostCharacters ? words : words.slice(0, words.lastIndexOf(' ', mostCharacters))
}

/** At a space, unless a word is as long as a part. */
function endOfPart(text: string, start: number): number {
  const most = start + partLength
  if (most >= text.length) return text.length
  // Within the part: a search through the whole text would look at all of it for each part.
  const part = text.slice(start, most + 1)
  const space = Math.max(part.lastIndexOf(' '), part.lastIndexOf('\n'))
  return space > 0 ? start + space : most
}

/** The words of a question, each once; the last one may be the beginning of a word. Nothing in it is an operator. */
export function wordsAskedFor(query: string): string[] {
  const words = foldedWords(query)
  const last = words.at(-1)
  // The last one keeps its place: it is the one that may be half typed.
  const others = [...new Set(words)].filter((word) => word !== last)
  if (last === undefined) return []
  if (others.length < mostAskedFor) return [...others, last]
  // Of a whole message, the long words say most.
  return [...others.toSorted((a, b) => b.length - a.length).slice(0, mostAskedFor - 1), last]
}
