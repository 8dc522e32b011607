import type { TokenCounts } from './chat-api.ts'
import type { ModelRequest, ModelToolCall, ModelUsage } from './model-request.ts'

const charactersPerToken = 4

export function estimateTokens(text: string): number {
  return toTokenCount(text.length)
}

function toTokenCount(characterCount: number): number {
  return Math.ceil(characterCount / charactersPerToken)
}

export function estimateInputTokens({
  system = '',
  messages,
  tools = [],
}: Pick<ModelRequest, 'system' | 'messages' | 'tools'>): number {
  const toolTexts = tools.map(({ name, description, parameters }) => name + description + JSON.stringify(parameters))
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
  const texts = [system, ...toolTexts, ...calls.map(serializeCall), ...messages.map(({ content }) => content)]
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0)
}

/** Servers that truncate fill their window first, and none is smaller. */
const minWindowTokens = 1000

/** Ollama truncates silently. Excludes tools, because servers rewrite their descriptions. */
export function isTruncated(
  { system, messages }: Pick<ModelRequest, 'system' | 'messages'>,
  { input_tokens, estimated }: Pick<ModelUsage, 'input_tokens' | 'estimated'>,
): boolean {
  return !estimated && input_tokens >= minWindowTokens && input_tokens * 2 < estimateInputTokens({ system, messages })
}

export function serializeCall({ name, arguments: input }: ModelToolCall): string {
  return name + JSON.stringify(input)
}

export function toModelUsage(
  request: Pick<ModelRequest, 'system' | 'messages' | 'tools'>,
  characterCount: number,
  { input, output, cachedInput, cacheWrites }: TokenCounts = {},
): ModelUsage {
  const isBelievable = input !== undefined && output !== undefined && (output > 0 || characterCount === 0)
  if (!isBelievable)
    return { input_tokens: estimateInputTokens(request), output_tokens: toTokenCount(characterCount), estimated: true }
  return {
    input_tokens: input,
    output_tokens: output,
    ...(cachedInput && { cached_tokens: Math.min(cachedInput, input) }),
    ...(cacheWrites && { cache_write_tokens: Math.min(cacheWrites, input) }),
    estimated: false,
  }
}
