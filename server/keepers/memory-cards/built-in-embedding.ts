import { foldedWords } from './card-words.ts'
import { normalised, type Vector } from './vectors.ts'

const builtInDimensions = 256
const partLength = 3
const weightOfWord = 1
const weightOfParts = 0.8
const mostWords = 2_000

/** Keeper's own embedding: words and trigrams hashed into 256 dimensions. It forgives inflections and typos but knows
 * no
 * meaning. Deterministic; undefined for a text without words. */
export function builtInEmbedding(text: string): Vector | undefined {
  const counts = new Map<string, number>()
  for (const word of foldedWords(text).slice(0, mostWords)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const values = new Float64Array(builtInDimensions)
  for (const [word, count] of counts) {
    // Repetition counts less than linearly, and short words less than long ones.
    const weight = Math.sqrt(count) * Math.min(1, [...word].length / 5)
    add(values, `w ${word}`, weight * weightOfWord)
    const parts = partsOf(word)
    for (const part of parts) add(values, `p ${part}`, (weight * weightOfParts) / Math.sqrt(parts.length))
  }
  return normalised(values)
}

function partsOf(word: string): string[] {
  const characters = ['^', ...word, '$']
  return characters.slice(partLength - 1).map((_, at) => characters.slice(at, at + partLength).join(''))
}

/** Two signed slots per feature, so that features sharing one slot still differ. */
function add(values: Float64Array, feature: string, weight: number): void {
  const hash = hashOf(feature)
  for (const [place, sign] of [
    [hash & 255, (hash >>> 8) & 1],
    [(hash >>> 9) & 255, (hash >>> 17) & 1],
  ] as const)
    values[place] = (values[place] ?? 0) + (sign ? weight : -weight)
}

/** FNV-1a over UTF-16 with a final mix. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (hash ^ (hash >>> 16)) >>> 0
}
