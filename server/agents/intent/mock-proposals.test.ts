import { expect, it } from 'vitest'
import { agentProposal, keeperTypeProposal } from '#contract/agents/intent.ts'
import { createMockKeeperType, createMockProposal } from './mock-proposals.ts'

it.each<[wish: string, name: string, more: object]>([
  ['I want an agent that sorts letters', 'Sorts Letters', { agent_class: 'Standard', tools: [] }],
  ['make me a travel agent for visitors', 'Visitors', { agent_class: 'Lead', memory_enabled: true }],
  ['please build an agent to remind me of birthdays.', 'Remind Me Birthdays', { tools: ['schedule_echo'] }],
  ['fetch a web page and log it', 'Fetch Web Page', { tools: ['add_logbook_entry', 'http_fetch'] }],
  ['日記をまとめる', '日記をまとめる', { tools: [] }],
  ['!!!', 'New Agent', { tools: [] }],
])('%s', (wish, name, more) => {
  const proposal = createMockProposal(wish)
  expect(proposal).toMatchObject({ name, ...more })
  expect(agentProposal.safeParse(proposal).success).toBe(true)
})

it('proposes nothing for a question', () => {
  expect(createMockProposal('Where is the logbook?')).toBeUndefined()
})

it.each([
  ['Every walk along the harbour, daily', 'journal'],
  ['what I spend on bread', 'tracker'],
  ['the rooms of the old house', 'palace'],
  ['what my father taught me', 'sole'],
  ['x'.repeat(50_000), 'sole'],
  ['…', 'sole'],
])('a mock classifies %s as a %s', (description, memoryPattern) => {
  const type = createMockKeeperType(description)
  expect(type.memoryPattern).toBe(memoryPattern)
  expect(keeperTypeProposal.safeParse(type).success).toBe(true)
})
