import { toNormalizedWords } from './card-words.ts'
import { normalizeVector, type Vector } from './vectors.ts'

const builtInDimensions = 256
const trigramLength = 3
/** Shorter words have less weight. */
const fullWeightLength = 5
const wordWeight = 1
const trigramWeight = 0.8
const maxWords = 2_000

/** Hashed words and trigrams: forgives typos but knows no meaning. Undefined for a text without words. */
export function computeBuiltInEmbedding(text: string): Vector | undefined {
  const counts = new Map<string, number>()
  for (const word of toNormalizedWords(text).slice(0, maxWords)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const values = new Float64Array(builtInDimensions)
  for (const [word, count] of counts) {
    // Repetition counts less than linearly.
    const weight = Math.sqrt(count) * Math.min(1, [...word].length / fullWeightLength)
    addFeature(values, `w ${word}`, weight * wordWeight)
    const trigrams = getTrigrams(word)
    for (const trigram of trigrams)
      addFeature(values, `p ${trigram}`, (weight * trigramWeight) / Math.sqrt(trigrams.length))
  }
  return normalizeVector(values)
}

function getTrigrams(word: string): string[] {
  const characters = ['^', ...word, '$']
  return characters.slice(trigramLength - 1).map((_, index) => characters.slice(index, index + trigramLength).join(''))
}

/** Two signed slots per feature, so that features sharing one slot still differ. */
function addFeature(values: Float64Array, feature: string, weight: number): void {
  const hash = hashText(feature)
  for (const [slot, sign] of [
    [hash & 255, (hash >>> 8) & 1],
    [(hash >>> 9) & 255, (hash >>> 17) & 1],
  ] as const)
    values[slot] = (values[slot] ?? 0) + (sign ? weight : -weight)
}

/** FNV-1a over UTF-16 with a final mix. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (hash ^ (hash >>> 16)) >>> 0
}
