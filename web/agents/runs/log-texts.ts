import type { AgentLog, RunDetail } from '#contract/agents/runs.ts'

export function truncateInput(input: string, length: number): string {
  const characters = [...input]
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : input
}

export function getRunUserName(user: AgentLog['user']): string {
  return user ? user.name || user.email || user.id : 'A visitor'
}

export function parseOutput(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return output
  }
}

/** The answer's text; '' if empty, undefined if not visible to this user. */
export function getAnswerText({
  model_settings,
  output,
}: Pick<RunDetail, 'model_settings' | 'output'>): string | undefined {
  if (model_settings === null) return
  const value = output === null ? '' : parseOutput(output)
  if (typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string')
    return value.text
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
