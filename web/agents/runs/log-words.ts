import type { AgentLog, RunDetail } from '#contract/agents/runs.ts'

/** The first 100 characters, as people count them, with an ellipsis where something is left out. */
export function previewOf(input: string, length: number): string {
  const characters = [...input]
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : input
}

/** The name, else the e-mail, else the id (seed 001 §2). A run of nobody was a visitor's. */
export function userName(user: AgentLog['user']): string {
  return user ? user.name || user.email || user.id : 'A visitor'
}

/** The stored output as a value, to be shown as indented JSON; what is no JSON stays the text it is. */
export function parsedOutput(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return output
  }
}

/** What a run answered, in words; '' for nothing, `undefined` where it is not to be seen. */
export function answerOf({ model_settings, output }: Pick<RunDetail, 'model_settings' | 'output'>): string | undefined {
  if (model_settings === null) return
  const value = output === null ? '' : parsedOutput(output)
  if (typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string')
    return value.text
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
