import { withoutUndefined } from '../../chat-api.ts'
import { asObject } from '../../json-values.ts'
import { readCount, readDay } from '../list-values.ts'
import type { ListedModel } from '../provider.ts'

/** Settings of an agent by the name they are sent under. */
const settings = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty']

/**
 * An entry of `GET /models` as OpenAI and those that speak like it have it: OpenAI's `shutdown_date`, OpenRouter's context,
 * prices, parameters and `expiration_date`, Groq's `context_window`, vLLM's `max_model_len`, `meta` of llama.cpp.
 */
export function readCompatibleModel(entry: Record<string, unknown>): ListedModel | undefined {
  const { id, name, supported_parameters: parameters } = entry
  if (typeof id !== 'string') return undefined
  const top = asObject(entry.top_provider)
  return withoutUndefined({
    id,
    name: typeof name === 'string' ? name : undefined,
    window: readCount(
      entry.max_model_len ??
        top.context_length ??
        entry.context_length ??
        entry.context_window ??
        entry.max_context_length ??
        asObject(entry.meta).n_ctx_train,
    ),
    maxOutput: readCount(top.max_completion_tokens ?? entry.max_completion_tokens),
    refuses: Array.isArray(parameters) ? settings.filter((setting) => !parameters.includes(setting)) : undefined,
    price: readPrice(asObject(entry.pricing)),
    shutdownDate: readDay(entry.shutdown_date === undefined ? entry.expiration_date : entry.shutdown_date),
  })
}

/** OpenRouter's: dollars for one token, as texts; -1 where the price depends on the model it chooses. */
function readPrice({ prompt, completion, input_cache_read }: Record<string, unknown>): ListedModel['price'] {
  const [input, output, cachedInput] = [prompt, completion, input_cache_read].map(readDollarsPerToken)
  if (input === undefined || output === undefined) return undefined
  return { input, output, ...(cachedInput !== undefined && { cachedInput }) }
}

function readDollarsPerToken(value: unknown): number | undefined {
  const dollars = typeof value === 'string' && value.trim() !== '' ? Number(value) * 1_000_000 : Number.NaN
  // Twelve digits, so that 0.0000001 a token is 0.1 a million.
  return dollars >= 0 && dollars <= 1_000_000 ? Number(dollars.toPrecision(12)) : undefined
}

/** OpenRouter's `links.next`. Only its query counts: the next page is at the same address. */
export function getNextCompatiblePage({ links }: Record<string, unknown>): string | undefined {
  const { next } = asObject(links)
  const query = typeof next === 'string' ? URL.parse(next, 'https://same.address')?.search : ''
  return query || undefined
}
