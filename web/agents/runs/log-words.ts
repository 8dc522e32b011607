import type { AgentLog } from '#contract/agents/runs.ts'

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
