import { expect, it } from 'vitest'
import { newAgentValues } from '../form/agent-form-values.ts'
import { toProposalValues } from './intent-console.tsx'

it('a proposal fills an empty form and keeps the defaults of fields it omits', () => {
  expect(toProposalValues({ name: 'Week Reader', purpose: 'Reads the week.' })).toEqual({
    ...newAgentValues,
    name: 'Week Reader',
    slug: 'week-reader',
    purpose: 'Reads the week.',
  })
})

it('a proposed Coordinator starts with its settings, bundle and proposed model', () => {
  const proposal = { name: 'Round', purpose: 'Goes round.', agent_class: 'Coordinator', model: 'gpt-4o-mini' } as const
  expect(toProposalValues({ ...proposal, config: { bundle: ['type-agent'] } })).toMatchObject({
    agent_class: 'Coordinator',
    bundle: ['type-agent'],
    model: 'gpt-4o-mini',
    max_tokens: 4000,
    temperature: 0.1,
  })
})
