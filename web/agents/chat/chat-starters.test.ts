import { expect, test } from 'vitest'
import { builtInAgents } from '#contract/agents/built-in-agents.ts'
import { createStarters } from './chat-starters.ts'

const generalStarter = 'What can you help me with?'

test.each([
  ['Weighs decisions with you: lays out the options.', 'Weigh decisions with me'],
  ['Watches the harbour, and says so.', 'Watch the harbour'],
  ['Carries your notes into the week.', 'Carry my notes into the week'],
  ['The guide of this Keeper. Answers questions about keepers.', 'Tell me about keepers'],
])('the purpose %j becomes a request', (purpose, request) => {
  expect(createStarters({ purpose })).toEqual([request, generalStarter])
})

test.each(['', 'You are a harbour clerk.', 'Always polite.', 'This knows.', 'Reads.', `Reads ${'far '.repeat(40)}`])(
  'the purpose %j gives only the general starter',
  (purpose) => {
    expect(createStarters({ purpose })).toEqual([generalStarter])
  },
)

test('starters of tools come first, unknown tools are skipped, and three are the limit', () => {
  const tools = ['notion__search', 'list_moments', 'read_sole', 'http_fetch']
  const starters = createStarters({ purpose: 'Reads the week.', tools })
  expect(starters).toEqual(['What did I note this week?', 'What do you know about me?', 'Read the week'])
})

test('every built-in Lead has two starters or more', () => {
  for (const { agent_class: agentClass, purpose } of builtInAgents)
    if (agentClass === 'Lead') expect(createStarters({ purpose }).length).toBeGreaterThan(1)
})
