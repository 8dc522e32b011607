import type { ModelRequest, ModelUsage } from './model-request.ts'

const charactersPerToken = 4

/** A rough count for answers whose provider gave none: characters / 4, at least 1 for any text. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken)
}

export function estimateInputTokens({ system = '', messages }: Pick<ModelRequest, 'system' | 'messages'>): number {
  return estimateTokens(system) + messages.reduce((sum, { content }) => sum + estimateTokens(content), 0)
}

/** The provider's figures when both are believable, else our estimate, marked as such. */
export function usageOf(
  request: Pick<ModelRequest, 'system' | 'messages'>,
  text: string,
  { inputTokens, outputTokens }: { inputTokens?: number; outputTokens?: number } = {},
): ModelUsage {
  const believable = inputTokens !== undefined && outputTokens !== undefined && (outputTokens > 0 || text === '')
  return believable
    ? { input_tokens: inputTokens, output_tokens: outputTokens, estimated: false }
    : { input_tokens: estimateInputTokens(request), output_tokens: estimateTokens(text), estimated: true }
}
