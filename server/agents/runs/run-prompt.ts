import type { AgentRow } from '../agent-row.ts'

/** The system prompt: purpose first, then personality and capabilities. */
export function systemPrompt(agent: AgentRow): string {
  const { personality, capabilities } = agent.config
  const listed = Array.isArray(capabilities) ? capabilities.join(', ') : capabilities
  return [agent.purpose, personality && `Personality: ${personality}`, listed && `Capabilities: ${listed}`]
    .filter(Boolean)
    .join('\n\n')
}
