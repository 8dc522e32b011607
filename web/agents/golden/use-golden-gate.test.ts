import { expect, it } from 'vitest'
import type { Agent } from '#contract/agents/agents.ts'
import { demoAgent } from '#contract/samples/sample-agents.ts'
import { toAgentBody, toFormValues } from '../form/agent-form-values.ts'
import { affectsAnswers } from './use-golden-gate.tsx'

const lead: Agent = {
  ...demoAgent,
  agent_class: 'Lead',
  config: { theme_color: '#3b82f6', tagline: 'Here', unknown_to_the_form: { b: 1, a: [2] } },
}

type Changes = Partial<ReturnType<typeof toFormValues>>
const applyChanges = (agent: Agent, changes: Changes) =>
  toAgentBody({ ...toFormValues(agent), ...changes }, agent.config)

it.each<[name: string, changes: Changes]>([
  ['nothing', {}],
  ['the name', { name: 'Another' }],
  ['the slug and visibility', { slug: 'another', visibility: 'private' }],
  ['permissions', { permissions: 'read' }],
])('changing %s does not affect answers', (_name, changes) => {
  for (const agent of [demoAgent, lead]) expect(affectsAnswers(agent, applyChanges(agent, changes))).toBe(false)
})

it.each<[name: string, changes: Changes]>([
  ['the purpose', { purpose: 'Another purpose.' }],
  ['tools', { tools: 'search_memory' }],
  ['the scope', { context_scope: 'keeper' }],
  ['the temperature', { temperature: 0.2 }],
  ['the model', { model: 'gpt-4o-mini' }],
  ['the personality of a Lead', { personality: 'Brief.' }],
])('changing %s affects answers', (_name, changes) => {
  const agents = 'personality' in changes ? [lead] : [demoAgent, lead]
  for (const agent of agents) expect(affectsAnswers(agent, applyChanges(agent, changes))).toBe(true)
})

it('the order of settings does not affect answers', () => {
  const settings = Object.fromEntries(Object.entries(demoAgent.model_settings).reverse()) as Agent['model_settings']
  expect(affectsAnswers({ ...demoAgent, model_settings: settings }, toAgentBody(toFormValues(demoAgent)))).toBe(false)
})
