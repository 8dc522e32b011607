import { normalizeSearchText } from '#contract/search/normalize-search-text.ts'

const maxWords = 400
const minSharedWords = 2
/** Share of the shorter text's words that the longer one has, too. */
const minOverlap = 0.7
/** Share of the longer text's words. Otherwise, a guess of two words or a long list of words would match most facts. */
const minLongerOverlap = 0.5
const negations = new Set(['not', 'no', 'never', 'dont', 'doesnt', 'isnt', 'nicht', 'kein', 'keine', 'keinen', 'nie'])
const fillers = new Set(
  'the and that this with from they their them his her has have had was were are for but its who which also der die das und ist mit ein eine von den dem'.split(
    ' ',
  ),
)

/** Stems of the words that carry meaning, each once and sorted, to compare two texts. */
export function toComparableWords(text: string): string {
  const normalized = normalizeSearchText(text.toWellFormed())
    .replaceAll(/['’]s\b/gu, '')
    .replaceAll(/['’]/gu, '')
  const words = [...new Intl.Segmenter('und', { granularity: 'word' }).segment(normalized)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment)
    .filter((word) => negations.has(word) || /\d|\P{ASCII}/u.test(word) || (word.length > 2 && !fillers.has(word)))
    .slice(0, maxWords)
  return [...new Set(words.map((word) => (negations.has(word) ? 'not' : toStem(word))))].sort().join(' ')
}

const toStem = (word: string) => (/\d/.test(word) || word.length <= 4 ? word : word.replace(/(?:ies|es|ed|ing|s)$/, ''))

/** Different numbers, or a negation in only one of them, are different facts. */
export function isSameFact(left: string, right: string): boolean {
  if (left === right) return left !== ''
  const words = new Set(left.split(' '))
  const otherWords = new Set(right.split(' '))
  if (words.has('not') !== otherWords.has('not')) return false
  const getNumbers = (wordSet: Set<string>) => [...wordSet].filter((word) => /\d/.test(word)).join(' ')
  if (getNumbers(words) !== getNumbers(otherWords)) return false
  const sharedCount = [...words].filter((word) => otherWords.has(word)).length
  const overlap = sharedCount / Math.min(words.size, otherWords.size)
  const longerOverlap = sharedCount / Math.max(words.size, otherWords.size)
  return sharedCount >= minSharedWords && overlap >= minOverlap && longerOverlap >= minLongerOverlap
}
