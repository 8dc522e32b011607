import type { ModelRequest, ModelToolCall, ModelUsage } from './model-request.ts'

const charactersPerToken = 4

/** A rough count for answers whose provider gave none: characters / 4, at least 1 for any text. */
export function estimateTokens(text: string): number {
  return tokensOf(text.length)
}

function tokensOf(characters: number): number {
  return Math.ceil(characters / charactersPerToken)
}

/** Everything that is sent: texts, what tools were called with, and how the tools are described. */
export function estimateInputTokens({
  system = '',
  messages,
  tools = [],
}: Pick<ModelRequest, 'system' | 'messages' | 'tools'>): number {
  const described = tools.map(({ name, description, parameters }) => name + description + JSON.stringify(parameters))
  const called = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
  const texts = [system, ...described, ...called.map(writtenCall), ...messages.map(({ content }) => content)]
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0)
}

/** A tool call as the model wrote it. */
export function writtenCall({ name, arguments: given }: ModelToolCall): string {
  return name + JSON.stringify(given)
}

/** The provider's figures when both are believable, else our estimate from the length of the answer, marked as such. */
export function usageOf(
  request: Pick<ModelRequest, 'system' | 'messages' | 'tools'>,
  characters: number,
  { inputTokens, outputTokens }: { inputTokens?: number; outputTokens?: number } = {},
): ModelUsage {
  const believable = inputTokens !== undefined && outputTokens !== undefined && (outputTokens > 0 || characters === 0)
  return believable
    ? { input_tokens: inputTokens, output_tokens: outputTokens, estimated: false }
    : { input_tokens: estimateInputTokens(request), output_tokens: tokensOf(characters), estimated: true }
}
