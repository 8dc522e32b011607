import type { ModelRequest } from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'

/** Messages of the past that a model is shown, at most. */
const mostHistory = 40

/** The system prompt: purpose first, then personality and capabilities. */
export function systemPrompt(agent: AgentRow): string {
  const { personality, capabilities } = agent.config
  const listed = Array.isArray(capabilities) ? capabilities.join(', ') : capabilities
  return [agent.purpose, personality && `Personality: ${personality}`, listed && `Capabilities: ${listed}`]
    .filter(Boolean)
    .join('\n\n')
}

/** What was said in a session and ended well, oldest first, always a person's turn followed by its answer. */
export async function sessionHistory(services: Services, sessionId: string): Promise<ModelRequest['messages']> {
  const rows = await services.db
    .selectFrom('messages')
    .innerJoin('runs', 'runs.id', 'messages.run_id')
    .select(['messages.sender', 'messages.content', 'messages.run_id'])
    .where('messages.session_id', '=', sessionId)
    .where('runs.status', 'in', ['success', 'stopped'])
    .where('messages.content', '!=', '')
    .orderBy('messages.position', 'desc')
    .limit(mostHistory)
    .execute()
  const complete = rows.filter((row) => rows.filter((other) => other.run_id === row.run_id).length === 2)
  return complete.reverse().map((row) => ({ role: row.sender === 'user' ? 'user' : 'assistant', content: row.content }))
}
