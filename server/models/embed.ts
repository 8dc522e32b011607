import type { ModelSettings } from '#contract/agents/model-settings.ts'
import { callProvider } from './call-provider.ts'
import { estimateTokens } from './estimate-tokens.ts'
import type { Exchange } from './exchange.ts'
import { asList, asObject, tokenCount } from './json-values.ts'
import { getLimits, type ModelLimits } from './model-limits.ts'
import type { Credential, MayPayAgain, ModelRuntime, ModelUsage } from './model-request.ts'
import { toCallUrl } from './provider-address.ts'
import type { ProviderDefinition } from './providers/provider.ts'
import { getProvider } from './providers/registry.ts'
import { readJsonBody } from './read-answer.ts'
import { type FailureContext, ownFailure, requireSendableKey } from './translate-failure.ts'
import { withRetries } from './with-retries.ts'

/** What providers take in one request, and what stays far below the most bytes of an answer. */
export const mostTextsAtOnce = 100

export interface EmbeddingRequest {
  provider: 'openai' | 'together'
  model: string
  /** Values of each vector. */
  dimensions: number
  /** Ask for so many: only some models can shorten their vectors. */
  shortened: boolean
  texts: readonly string[]
  credential: Credential
  retry: ModelSettings['retry']
  signal: AbortSignal
  limits?: Partial<ModelLimits>
  mayPayAgain?: MayPayAgain
}

export interface Embeddings {
  /** One for each text, in their order. */
  vectors: number[][]
  usage: ModelUsage
  lostAnswers: number
}

/**
 * Has a provider turn texts into vectors, under the same clocks, limits and retries as `runModel`. An answer that lacks
 * a vector, or holds one of another length, is no answer.
 *
 * @throws ModelFailure
 */
export async function embed(runtime: ModelRuntime, request: EmbeddingRequest): Promise<Embeddings> {
  const { texts, model, credential, signal, retry, mayPayAgain } = request
  const provider = getProvider(request.provider)
  if (texts.length > mostTextsAtOnce) throw new Error(`At most ${mostTextsAtOnce} texts are embedded at once`)
  const context: FailureContext = {
    provider,
    secrets: { keys: credential.key ? [credential.key] : [], privateTexts: [...texts] },
  }
  requireSendableKey(context, credential.key)
  const limits = { ...getLimits(runtime, credential, { isWhole: true }), ...request.limits }
  let answer: Omit<Embeddings, 'lostAnswers'> | undefined
  let lostAnswers = 0
  const call = { provider, model, context, credential, retry, signal, limits, mayPayAgain }
  const events = withRetries(runtime, call, async function* (exchange) {
    answer = await embeddings(runtime, exchange, { ...request, provider })
    yield { type: 'finish', reason: 'stop', usage: answer.usage }
  })
  for await (const event of events) if (event.type === 'finish') lostAnswers = event.lostAnswers ?? 0
  if (!answer) throw ownFailure(context, 'provider-protocol')
  return { ...answer, lostAnswers }
}

async function embeddings(
  runtime: ModelRuntime,
  exchange: Exchange,
  request: Omit<EmbeddingRequest, 'provider'> & { provider: ProviderDefinition },
): Promise<Omit<Embeddings, 'lostAnswers'>> {
  const { provider, model, dimensions, shortened, texts, credential } = request
  if (!provider.embedding) throw ownFailure(exchange.context, 'provider-refused')
  const response = await callProvider(runtime, exchange, {
    url: toCallUrl(provider, credential, provider.embedding.path),
    headers: { accept: 'application/json', ...provider.getHeaders(credential.key), ...credential.headers },
    body: { model, input: texts, encoding_format: 'float', ...(shortened && { dimensions }) },
  })
  const { data, usage } = asObject(await readJsonBody(response, exchange))
  const told = tokenCount(asObject(usage).prompt_tokens)
  return {
    vectors: vectorsIn(data, exchange, request),
    usage: {
      input_tokens: told ?? texts.reduce((sum, text) => sum + estimateTokens(text), 0),
      output_tokens: 0,
      estimated: told === undefined,
    },
  }
}

/** Each in the place its `index` names, whatever order they came in. */
function vectorsIn(
  data: unknown,
  { context }: Exchange,
  { texts, dimensions, provider }: Pick<EmbeddingRequest, 'texts' | 'dimensions'> & { provider: ProviderDefinition },
): number[][] {
  const vectors = new Map<number, number[]>()
  for (const [place, { index, embedding }] of asList(data).entries()) {
    if (!Array.isArray(embedding) || !embedding.every((value) => Number.isFinite(value))) continue
    if (embedding.length !== dimensions) {
      const message = `${provider.name} answered with vectors of ${embedding.length} values where ${dimensions} were expected.`
      throw ownFailure(context, 'provider-protocol', { message })
    }
    vectors.set(typeof index === 'number' ? index : place, embedding)
  }
  return texts.map((_, index) => {
    const vector = vectors.get(index)
    if (!vector) throw ownFailure(context, 'provider-protocol')
    return vector
  })
}
