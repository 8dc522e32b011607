import { expect, test } from 'vitest'
import { type AgentFormValues, newAgentValues, toAgentBody } from './agent-form-values.ts'
import { checkAgentForm, findField, getChecklist, hasRequiredFields, suggestSlug } from './check-agent-form.ts'

const good: AgentFormValues = { ...newAgentValues, name: 'Evening Round', slug: 'evening-round', purpose: 'Gathers.' }

test('a new agent with a name, a slug and a purpose can be created', () => {
  expect(checkAgentForm(good)).toEqual({})
  expect(getChecklist(good, {}).every((item) => item.isMet)).toBe(true)
})

test('an empty form names the three things that are missing', () => {
  const problems = checkAgentForm(newAgentValues)
  expect(Object.keys(problems).toSorted()).toEqual(['name', 'purpose', 'slug'])
  expect(getChecklist(newAgentValues, problems).map((item) => item.text)).toEqual([
    'Needs a name and a purpose',
    'Needs a slug',
  ])
})

test('the button requires only a name, a slug and a purpose', () => {
  expect(hasRequiredFields(newAgentValues)).toBe(false)
  for (const field of ['name', 'slug', 'purpose']) expect(hasRequiredFields({ ...good, [field]: ' ' })).toBe(false)
  for (const changes of [{ slug: 'a_b' }, { agent_class: 'Coordinator' as const }, { tools: 'fly' }, { max_tokens: 0 }])
    expect(hasRequiredFields({ ...good, ...changes })).toBe(true)
})

test('a slug with an underscore is refused and a better one suggested', () => {
  const values = { ...good, slug: 'evening_round' }
  const problems = checkAgentForm(values)
  expect(problems.slug).toBe('Only lowercase letters, numbers and hyphens.')
  expect(suggestSlug('evening_round')).toBe('evening-round')
  expect(getChecklist(values, problems)[1]).toEqual({ text: 'Slug has an underscore', isMet: false, isInvalid: true })
})

test('a reserved slug is refused unless the agent already has it', () => {
  expect(checkAgentForm({ ...good, slug: 'studio' }).slug).toContain('reserved by Keeper')
  expect(suggestSlug('studio')).toBeUndefined()
  expect(checkAgentForm({ ...good, slug: 'kip' }, 'kip')).toEqual({})
})

test('a Coordinator needs a bundle without itself', () => {
  const alone: AgentFormValues = { ...good, agent_class: 'Coordinator' }
  expect(checkAgentForm(alone).bundle).toBe('A Coordinator needs at least one agent in its bundle.')
  expect(checkAgentForm({ ...alone, bundle: ['evening-round'] }).bundle).toContain('own bundle')
  expect(checkAgentForm({ ...alone, bundle: ['type-agent'] })).toEqual({})
})

test('an unknown agent in the bundle is named if all agents are known', () => {
  const bundled = { ...good, agent_class: 'Coordinator' as const, bundle: ['type-agent', 'code'] }
  expect(checkAgentForm(bundled).bundle, 'not all agents are known').toBeUndefined()
  const problems = checkAgentForm(bundled, undefined, { agents: ['type-agent'] })
  expect(problems.bundle).toBe('There’s no agent "code" that you can run.')
  expect(getChecklist(bundled, problems).find((item) => item.isInvalid)?.text).toBe(
    'An agent in the bundle doesn’t exist',
  )
})

test('letting visitors spend a key requires a daily limit', () => {
  const open: AgentFormValues = { ...good, agent_class: 'Lead', visibility: 'public', visitors_spend_owner_key: true }
  expect(checkAgentForm(open).visitor_daily_usd).toBe('Set how much visitors can spend on your key per day.')
  expect(checkAgentForm({ ...open, visitor_daily_usd: -1 }).visitor_daily_usd).toBe('Use an amount of 0 or more.')
  expect(checkAgentForm({ ...open, visitor_daily_usd: 0.5 })).toEqual({})
  expect(checkAgentForm({ ...open, visibility: 'private' }), 'it has no visitors, and no box to fill').toEqual({})
  expect(checkAgentForm({ ...open, visitors_spend_owner_key: false })).toEqual({})
})

test('out-of-range, fractional and empty numbers get the schema’s messages', () => {
  const numbers = { temperature: 2.1, max_tokens: 1.5, max_retries: Number.NaN, retry_delay_ms: 50 }
  expect(checkAgentForm({ ...good, ...numbers })).toMatchObject({
    temperature: 'Use a number from 0 to 2.',
    max_tokens: 'Use a whole number.',
    max_retries: 'Use a number from 0 to 10.',
    retry_delay_ms: 'Use a number from 100 to 10000.',
  })
})

test('an unknown tool is reported with the known ones', () => {
  expect(checkAgentForm({ ...good, tools: 'search_memory, fly' }).tools, 'not all tools are known').toBeUndefined()
  expect(checkAgentForm({ ...good, tools: 'weather' }, undefined, { tools: ['search_memory', 'weather'] })).toEqual({})
  expect(
    checkAgentForm({ ...good, tools: 'search_memory, fly' }, undefined, { tools: ['search_memory', 'weather'] }).tools,
  ).toMatch(/^Unknown tools: fly\. Available tools: search_memory,/)
})

test('server errors are mapped to their fields', () => {
  expect(findField('config.bundle')).toBe('bundle')
  expect(findField('model_settings.retry.max_retries')).toBe('max_retries')
  expect(findField('tools.0')).toBe('tools')
  expect(findField('input')).toBeUndefined()
})

test('OpenAI-only settings are omitted for others; hidden config is kept', () => {
  const body = toAgentBody(
    { ...good, model_provider: 'anthropic', agent_class: 'Lead', tagline: ' Hi ' },
    { voice_id: 'v1', bundle: ['x'] },
  )
  expect(body.model_settings).not.toHaveProperty('top_p')
  expect(body.config).toEqual({ voice_id: 'v1', tagline: 'Hi', avatar: '🤖', theme_color: '#3b82f6' })
})

test('a speaking agent can be saved without a voice, with a hint', () => {
  const values = { ...good, model_provider: 'elevenlabs' as const }
  expect(checkAgentForm(values)).toEqual({})
  expect(getChecklist(values, {})).toContainEqual({
    text: 'No voice chosen, so the account’s first voice is used',
    isMet: false,
    isOptional: true,
  })
  expect(getChecklist({ ...values, voice_id: 'v1' }, {}).every(({ isMet }) => isMet)).toBe(true)
})

test('the voice is set, removed, and kept under other providers', () => {
  const values = { ...good, voice_id: 'v1', voice_name: 'Rachel' }
  const config = (changes: object, previousConfig = {}) => toAgentBody({ ...values, ...changes }, previousConfig).config
  expect(config({ model_provider: 'elevenlabs' })).toEqual({ voice_id: 'v1', voice_name: 'Rachel' })
  expect(config({ model_provider: 'elevenlabs', voice_id: '' }, { voice_id: 'v0', voice_name: 'x', own: 1 })).toEqual({
    own: 1,
  })
  expect(config({ model_provider: 'openai' }, { voice_id: 'v0' })).toEqual({ voice_id: 'v0' })
})
