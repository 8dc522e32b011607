import { expect, it } from 'vitest'
import type { AgentClassEntry } from '#contract/agents/agent-classes.ts'
import { toAgentBody } from '../form/agent-form-values.ts'
import { blankClass, toAgentValues, toClassBody, toClassValues } from './class-values.ts'

const entry = (more: Partial<AgentClassEntry>): AgentClassEntry => ({
  id: 'c',
  slug: 'night-clerk',
  name: 'Night clerk',
  description: '',
  system: false,
  mine: true,
  base: 'Lead',
  defaults: {},
  createdAt: '',
  updatedAt: '',
  rev: 1,
  _count: { Agent: 0 },
  ...more,
})

it('a new agent of a custom class has its base, defaults and class slug', () => {
  const values = toAgentValues(
    entry({
      defaults: {
        model_provider: 'anthropic',
        model_settings: { temperature: 0.2 },
        memory_enabled: true,
        tools: ['a'],
      },
    }),
  )
  expect(values).toMatchObject({
    agent_class: 'Lead',
    model_provider: 'anthropic',
    model: 'claude-haiku-5-5',
    temperature: 0.2,
    memory_enabled: true,
    tools: 'a',
  })
  expect(toAgentBody(values).config).toMatchObject({ class_slug: 'night-clerk' })
})

it('an agent of a system class stores no class slug', () => {
  const values = toAgentValues(entry({ system: true, slug: 'coordinator', base: 'Coordinator' }))
  expect(values).toMatchObject({ temperature: 0.1, max_tokens: 4000 })
  expect(toAgentBody(values).config).not.toHaveProperty('class_slug')
})

it('class defaults hidden in the form are kept', () => {
  const defaults = { model_settings: { top_p: 0.5 } }
  const body = toClassBody({ ...toClassValues(entry({ defaults })), temperature: 1 }, defaults)
  expect(body.defaults.model_settings).toMatchObject({ top_p: 0.5, temperature: 1 })
  expect(toClassBody(blankClass).defaults).toMatchObject({ visibility: 'private', tools: [] })
})
