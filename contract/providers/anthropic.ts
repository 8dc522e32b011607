import { defaultRetry, defineProvider } from './provider-info.ts'

export const anthropic = defineProvider({
  id: 'anthropic',
  name: 'Anthropic',
  key: {
    format: 'sk-ant-…',
    startsWith: 'sk-ant-',
    longerThan: 30,
    address: 'https://console.anthropic.com/settings/keys',
    costTier: '$$',
    platformCostTier: 'High',
  },
  offeredModels: ['claude-3-5-sonnet', 'claude-3-5-haiku', 'claude-3-opus', 'claude-3-sonnet', 'claude-3-haiku'],
  settings: { model: 'claude-haiku-5-5', temperature: 0.7, max_tokens: 4000, retry: defaultRetry },
})
