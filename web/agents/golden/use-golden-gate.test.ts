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

it.each<[what: string, changes: Partial<ReturnType<typeof toFormValues>>, touched: boolean]>([
  ['nothing', {}, false],
  ['the name', { name: 'Another' }, false],
  ['the slug and who sees it', { slug: 'another', visibility: 'private' }, false],
  ['permissions', { permissions: 'read' }, false],
  ['the purpose', { purpose: 'Another purpose.' }, true],
  ['tools', { tools: 'search_memory' }, true],
  ['the scope', { context_scope: 'keeper' }, true],
  ['the temperature', { temperature: 0.2 }, true],
  ['the model', { model: 'gpt-4o-mini' }, true],
  ['the personality of a Lead', { personality: 'Brief.' }, true],
])('changing %s', (_label, changes, touched) => {
  for (const agent of [demoAgent, lead]) {
    if (agent === demoAgent && 'personality' in changes) continue
    expect(affectsAnswers(agent, toAgentBody({ ...toFormValues(agent), ...changes }, agent.config))).toBe(touched)
  }
})

it('the order of settings does not affect answers', () => {
  const settings = Object.fromEntries(Object.entries(demoAgent.model_settings).reverse()) as Agent['model_settings']
  expect(affectsAnswers({ ...demoAgent, model_settings: settings }, toAgentBody(toFormValues(demoAgent)))).toBe(false)
})
