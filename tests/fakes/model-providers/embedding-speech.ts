import type { FakeProvider } from '#tests/fake-providers.ts'
import type { FakeAnswer, Speech } from './speech.ts'

/** Words that mean the same to the fake; a search can find by meaning what shares no word. */
const meanings = [
  ['father', 'dad', 'papa', 'parent'],
  ['harbour', 'port', 'quay', 'docks'],
  ['goodnight', 'sleep', 'bedtime'],
  ['flour', 'baking', 'bread', 'kitchen'],
]
const usualDimensions: Partial<Record<FakeProvider, number>> = { openai: 1536, together: 1024 }
/** Together's model has all its vectors close together, unlike OpenAI's. */
const closeness: Partial<Record<FakeProvider, number>> = { together: 2.5 }

/**
 * The embeddings of OpenAI and Together, in the shapes recorded from the real ones. `[[vector:short]]` in a text makes
 * every vector one value short, `[[vector:missing]]` leaves the last one out.
 */
export function embeddingSpeech(speech: Speech, provider: FakeProvider, body: () => unknown): Speech {
  return {
    ...speech,
    contentType: 'application/json',
    whole: ({ model }: FakeAnswer) => {
      const { input, dimensions = usualDimensions[provider] ?? 8 } = body() as {
        input: string | string[]
        dimensions?: number
      }
      const texts = typeof input === 'string' ? [input] : input
      const all = texts.join(' ')
      const length = dimensions - (all.includes('[[vector:short]]') ? 1 : 0)
      const data = texts.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: vectorFor(text, length, closeness[provider] ?? 0),
      }))
      // Nobody promised an order.
      const told = data.slice(0, all.includes('[[vector:missing]]') ? -1 : undefined).toReversed()
      const tokens = Math.ceil(all.length / 4)
      return JSON.stringify({
        object: 'list',
        data: told,
        model,
        ...(provider === 'openai' && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
      })
    },
  }
}

function vectorFor(text: string, length: number, close: number): number[] {
  const values = direction('everything', length).map((value) => value * close)
  for (const word of new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? ['nothing'])) {
    const meaning = meanings.find((words) => words.includes(word))?.[0] ?? word
    for (const [at, value] of direction(meaning, length).entries()) values[at] = (values[at] ?? 0) + value
  }
  const size = Math.hypot(...values)
  return values.map((value) => value / size)
}

/** The same for the same word, and about at right angles to those of all other words. */
function direction(word: string, length: number): number[] {
  let state = 7
  for (const character of word) state = (Math.imul(state, 31) + (character.codePointAt(0) ?? 0)) >>> 0
  return Array.from({ length }, () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return ((state >>> 8) / 0xffffff - 0.5) * Math.sqrt(12 / length)
  })
}
