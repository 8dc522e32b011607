import { expect, it } from 'vitest'
import { getProviderInfo } from '../providers/registry.ts'
import { diffSnapshots } from './version-changes.ts'
import type { AgentSnapshot } from './versions.ts'

const agent: AgentSnapshot = {
  name: 'Lamp',
  slug: 'lamp',
  purpose: 'Lights.',
  agent_class: 'Lead',
  context_scope: '',
  memory_enabled: false,
  tools: ['read_sole'],
  permissions: [],
  config: { tagline: 'Hi', theme_color: '#123456' },
  status: 'ready',
  model_provider: 'openai',
  model_settings: getProviderInfo('openai').settings,
  visibility: 'private',
  visitors_spend_owner_key: false,
  visitor_daily_usd: null,
}

it('an agent with reordered settings has no changes', () => {
  const config = { theme_color: '#123456', tagline: 'Hi' }
  expect(diffSnapshots(agent, { ...agent, config })).toEqual([])
})

it('each changed field has its previous and its new value', () => {
  const updated = {
    ...agent,
    purpose: 'Lights up.',
    tools: [],
    model_settings: { ...agent.model_settings, temperature: 0, retry: { max_retries: 1, retry_delay_ms: 1000 } },
    visitor_daily_usd: 2,
  }
  expect(diffSnapshots(agent, updated)).toEqual([
    { field: 'purpose', before: 'Lights.', after: 'Lights up.' },
    { field: 'tools', before: ['read_sole'], after: [] },
    { field: 'model_settings.temperature', before: 0.7, after: 0 },
    { field: 'model_settings.retry.max_retries', before: 3, after: 1 },
    { field: 'visitor_daily_usd', before: null, after: 2 },
  ])
})

it('an added setting has no previous value and a removed one no new value', () => {
  const updated = { ...agent, config: { tagline: 'Hi', avatar: '⚓' } }
  expect(diffSnapshots(agent, updated)).toEqual([
    { field: 'config.theme_color', before: '#123456' },
    { field: 'config.avatar', after: '⚓' },
  ])
})
