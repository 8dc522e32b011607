/** Distinct grams indexed per entry; only texts without repetition, such as random characters, have more. */
const maxGrams = 250_000
const maxGramSize = 5
const newlineCode = 10
const spaceCode = 32
const firstNonAsciiCode = 0x80
const firstPunctuationCode = 0x2000
const firstDenseCode = 0x2e80

const spaceClass = 0
const signClass = 1
const letterClass = 2
const denseClass = 3
/** Largest gram per character class. Two characters of Chinese or Japanese are as rare as a word. */
const maxGramSizes = [0, 1, maxGramSize, 2]

function classify(code: number): number {
  if (code === spaceCode || code === newlineCode) return spaceClass
  if (code < firstNonAsciiCode) {
    const isDigit = code >= 48 && code <= 57
    const isUpperCase = code >= 65 && code <= 90
    const isLowerCase = code >= 97 && code <= 122
    return isDigit || isUpperCase || isLowerCase ? letterClass : signClass
  }
  if (code >= firstDenseCode) return denseClass
  return code >= firstPunctuationCode ? signClass : letterClass
}

/** Parameters of the FNV-1a hash. */
const fnvOffset = 0x811c9dc5
const fnvPrime = 0x01000193
const extendHash = (hash: number, code: number) => Math.imul(hash ^ code, fnvPrime)

export function hashText(text: string): number {
  let hash = fnvOffset
  for (let index = 0; index < text.length; index++) hash = extendHash(hash, text.charCodeAt(index))
  return hash | 0
}

/** Limits a search to a person, a type or a keeper; a gram like the others, because an index combines only grams. */
export const getScopeGram = (scope: 'owner' | 'type' | 'container', id: string) => hashText(`${scope} ${id}`)

/** Hashes of all sequences of 1, 2, 3 and 5 characters within words of a normalized text. */
export function getGrams(text: string): Set<number> {
  const grams = new Set<number>()
  const classes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) classes[index] = classify(text.charCodeAt(index))
  for (let start = 0; start < text.length && grams.size < maxGrams; start++) {
    const characterClass = classes[start] ?? spaceClass
    const maxSize = maxGramSizes[characterClass] ?? 0
    let hash = fnvOffset
    for (let size = 1; size <= maxSize && classes[start + size - 1] === characterClass; size++) {
      hash = extendHash(hash, text.charCodeAt(start + size - 1))
      if (size !== 4) grams.add(hash | 0)
    }
  }
  return grams
}

/** A few grams that every text with the normalized term has, for each of its runs of letters and each sign. */
export function getQueryGrams(term: string): number[][] {
  const runs = term.match(/[a-z0-9\u0080-\u1fff]+|[\u2e80-\uffff]+|\S/giu) ?? []
  return runs.map((run) => {
    const maxSize = maxGramSizes[classify(run.charCodeAt(0))] ?? 1
    // There are no grams of four characters.
    const size = run.length === 4 ? Math.min(3, maxSize) : Math.min(run.length, maxSize)
    const last = run.length - size
    const starts = Array.from({ length: Math.ceil(last / 2) }, (_, index) => 2 * index)
    return [...starts, last].map((start) => hashText(run.slice(start, start + size)))
  })
}

const tokenBits = 14
const firstTokenCharacter = 0x4e00

/** A token for the index of SQLite: two characters hold 28 bits, and are far cheaper to build than digits. */
const toToken = (gram: number) =>
  String.fromCharCode(
    firstTokenCharacter + (gram & (2 ** tokenBits - 1)),
    firstTokenCharacter + ((gram >>> tokenBits) & (2 ** tokenBits - 1)),
  )

export const toTokens = (grams: Iterable<number>) => Array.from(grams, toToken).join(' ')

/** Matches texts that have all grams. */
export const toTokenQuery = (grams: Iterable<number>) => Array.from(grams, (gram) => `"${toToken(gram)}"`).join(' ')

const secondMs = 1000
/** Years supported by both JavaScript dates and 53-bit positions. */
const maxSeconds = 2 ** 38

/**
 * A unique number in the order of time, to list matches newest first without sorting. It is the entry's second, since
 * small differences between neighbors keep an index small. Each further attempt spreads entries over twice the time.
 */
export function toPosition(at: number, id: string, attempt: number): number {
  return toFirstPosition(at) + ((hashText(`${attempt} ${id}`) >>> 0) % 2 ** attempt)
}

export function toFirstPosition(at: number): number {
  return Math.min(maxSeconds, Math.max(-maxSeconds, Math.floor(at / secondMs)))
}
