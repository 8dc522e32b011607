import { estimateTokens } from './estimate-tokens.ts'
import { callProvider, type Exchange } from './http-exchange.ts'
import { asList, asObject, readTokenCount } from './json-values.ts'
import type { ModelRuntime, ModelUsage } from './model-request.ts'
import { toCallUrl } from './provider-address.ts'
import type { ProviderDefinition } from './providers/provider.ts'
import { getProvider } from './providers/registry.ts'
import { readJsonBody } from './read-answer.ts'
import { requestWholeAnswer, type WholeAnswerRequest } from './request-whole-answer.ts'
import { createFailure, toFailureContext } from './translate-failure.ts'

/** Texts per request. Providers accept more, but answers must stay below `maxResponseBytes`. */
export const maxBatchSize = 100

export interface EmbeddingRequest extends WholeAnswerRequest {
  provider: 'openai' | 'together'
  dimensions: number
  sendDimensions: boolean
  texts: readonly string[]
}

export interface Embeddings {
  vectors: number[][]
  usage: ModelUsage
  lostResponseCount: number
}

/** Embeds texts. An answer with missing vectors or wrong lengths fails. @throws ModelFailure */
export async function embed(runtime: ModelRuntime, request: EmbeddingRequest): Promise<Embeddings> {
  const { texts, credential } = request
  const provider = getProvider(request.provider)
  if (texts.length > maxBatchSize) throw new Error(`At most ${maxBatchSize} texts are embedded in one request`)
  const context = toFailureContext(provider, credential, [...texts])
  let lostResponseCount = 0
  const answer = await requestWholeAnswer(
    runtime,
    { ...request, provider, context },
    async (exchange) => {
      const embeddings = await fetchEmbeddings(runtime, exchange, { ...request, provider })
      return { answer: embeddings, usage: embeddings.usage }
    },
    (event) => {
      if (event.type === 'finish') lostResponseCount = event.lostResponseCount ?? 0
    },
  )
  return { ...answer, lostResponseCount }
}

async function fetchEmbeddings(
  runtime: ModelRuntime,
  exchange: Exchange,
  request: Omit<EmbeddingRequest, 'provider'> & { provider: ProviderDefinition },
): Promise<Omit<Embeddings, 'lostResponseCount'>> {
  const { provider, model, dimensions, sendDimensions, texts, credential } = request
  if (!provider.embedding) throw createFailure(exchange.context, 'provider-refused')
  const response = await callProvider(runtime, exchange, {
    url: toCallUrl(provider, credential, provider.embedding.path),
    headers: { accept: 'application/json', ...provider.getHeaders(credential.key), ...credential.headers },
    body: { model, input: texts, encoding_format: 'float', ...(sendDimensions && { dimensions }) },
  })
  const { data, usage } = asObject(await readJsonBody(response, exchange))
  const inputTokens = readTokenCount(asObject(usage).prompt_tokens)
  return {
    vectors: readVectors(data, exchange, request),
    usage: {
      input_tokens: inputTokens ?? texts.reduce((sum, text) => sum + estimateTokens(text), 0),
      output_tokens: 0,
      estimated: inputTokens === undefined,
    },
  }
}

function readVectors(
  data: unknown,
  { context }: Exchange,
  { texts, dimensions, provider }: Pick<EmbeddingRequest, 'texts' | 'dimensions'> & { provider: ProviderDefinition },
): number[][] {
  const vectors = new Map<number, number[]>()
  for (const [position, { index, embedding }] of asList(data).entries()) {
    if (!Array.isArray(embedding) || !embedding.every((value) => Number.isFinite(value))) continue
    if (embedding.length !== dimensions) {
      const message = `${provider.name} answered with vectors of ${embedding.length} values where ${dimensions} were expected.`
      throw createFailure(context, 'provider-protocol', { message })
    }
    vectors.set(typeof index === 'number' ? index : position, embedding)
  }
  return texts.map((_, index) => {
    const vector = vectors.get(index)
    if (!vector) throw createFailure(context, 'provider-protocol')
    return vector
  })
}
