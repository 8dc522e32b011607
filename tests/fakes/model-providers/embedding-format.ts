import type { FakeProvider } from '#tests/fake-providers.ts'
import type { FakeAnswer, ProviderFormat } from './provider-format.ts'

/** Synonym groups of the fake; lets a search match by meaning. */
const meanings = [
  ['father', 'dad', 'papa', 'parent'],
  ['harbour', 'port', 'quay', 'docks'],
  ['goodnight', 'sleep', 'bedtime'],
  ['flour', 'baking', 'bread', 'kitchen'],
]
const defaultDimensions: Partial<Record<FakeProvider, number>> = { openai: 1536, together: 1024 }
/** Together's vectors lie close together, unlike OpenAI's. */
const baseWeights: Partial<Record<FakeProvider, number>> = { together: 2.5 }

/**
 * Embeddings of OpenAI and Together in their recorded shapes. `[[vector:short]]` in a text shortens every vector by
 * one value, `[[vector:missing]]` drops the last vector.
 */
export function createEmbeddingFormat(
  baseFormat: ProviderFormat,
  provider: FakeProvider,
  getBody: () => unknown,
): ProviderFormat {
  return {
    ...baseFormat,
    contentType: 'application/json',
    formatBody: ({ model }: FakeAnswer) => {
      const { input, dimensions = defaultDimensions[provider] ?? 8 } = getBody() as {
        input: string | string[]
        dimensions?: number
      }
      const texts = typeof input === 'string' ? [input] : input
      const allText = texts.join(' ')
      const length = dimensions - (allText.includes('[[vector:short]]') ? 1 : 0)
      const data = texts.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: computeVector(text, length, baseWeights[provider] ?? 0),
      }))
      // The API guarantees no order.
      const embeddings = data.slice(0, allText.includes('[[vector:missing]]') ? -1 : undefined).toReversed()
      const tokens = Math.ceil(allText.length / 4)
      return JSON.stringify({
        object: 'list',
        data: embeddings,
        model,
        ...(provider === 'openai' && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
      })
    },
  }
}

function computeVector(text: string, length: number, baseWeight: number): number[] {
  const values = computeDirection('everything', length).map((value) => value * baseWeight)
  for (const word of new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? ['nothing'])) {
    const meaning = meanings.find((group) => group.includes(word))?.[0] ?? word
    for (const [index, value] of computeDirection(meaning, length).entries())
      values[index] = (values[index] ?? 0) + value
  }
  const size = Math.hypot(...values)
  return values.map((value) => value / size)
}

/** Deterministic per word, and nearly orthogonal between words. */
function computeDirection(word: string, length: number): number[] {
  let state = 7
  for (const character of word) state = (Math.imul(state, 31) + (character.codePointAt(0) ?? 0)) >>> 0
  return Array.from({ length }, () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return ((state >>> 8) / 0xffffff - 0.5) * Math.sqrt(12 / length)
  })
}
