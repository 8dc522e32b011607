import { randomBytes } from 'node:crypto'
import { type Agent, agents, type NewAgent } from '#contract/agents/agents.ts'
import type { Actor } from './test-app.ts'

type AgentFields = Partial<Record<keyof NewAgent, unknown>>

/** Creates an agent of this person, with its own name unless one is given. */
export async function createTestAgent(actor: Actor, fields: AgentFields = {}): Promise<Agent> {
  const body = { name: `Agent ${randomBytes(4).toString('hex')}`, purpose: 'Helps.', ...fields } as NewAgent
  const { status, data, text } = await actor.call(agents.create, { body })
  if (status !== 200) throw new Error(text)
  return data
}
