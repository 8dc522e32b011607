import type { ModelSettings, Provider } from '#contract/agents/model-settings.ts'
import { maxInputTokens } from '#server/models/context-windows.ts'
import { estimateInputTokens, estimateTokens } from '#server/models/estimate-tokens.ts'
import type { ModelRequest } from '#server/models/run-model.ts'

type Messages = ModelRequest['messages']

/** The newest questions and answers of a chat that fit what the model reads beside `rest`, which is sent in any case. */
export function fitHistory(
  history: Messages,
  {
    provider,
    settings,
    rest,
    baseUrl,
  }: {
    provider: Provider
    settings: ModelSettings
    rest: Parameters<typeof estimateInputTokens>[0]
    baseUrl: string | null
  },
): Messages {
  if (history.length === 0) return history
  let room = maxInputTokens(provider, settings, { baseUrl }) - estimateInputTokens(rest)
  let first = history.length
  while (first >= 2) {
    room -= history.slice(first - 2, first).reduce((sum, { content }) => sum + estimateTokens(content), 0)
    if (room < 0) break
    first -= 2
  }
  return history.slice(first)
}

/** Says in the run's notes what the model was not shown; nothing where it was shown everything. */
export function noteOfShortened(all: number, kept: number): string[] {
  if (kept === all) return []
  if (kept === 0) return [`The model was shown none of the ${all} messages before this one.`]
  return [`Of the ${all} messages before this one the model was shown only the last ${kept}.`]
}
