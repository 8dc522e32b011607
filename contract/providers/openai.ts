import { defaultRetry, defineProvider } from './provider-info.ts'

export const openai = defineProvider({
  id: 'openai',
  name: 'OpenAI',
  key: {
    format: 'sk-…',
    startsWith: 'sk-',
    longerThan: 20,
    address: 'https://platform.openai.com/api-keys',
    costTier: '$$',
    platformCostTier: 'High',
  },
  offeredModels: ['gpt-4o', 'gpt-4o-mini', 'gpt-4-turbo', 'gpt-4', 'gpt-3.5-turbo'],
  settings: {
    model: 'gpt-6-luna',
    temperature: 0.7,
    max_tokens: 2000,
    top_p: 1,
    frequency_penalty: 0,
    presence_penalty: 0,
    retry: defaultRetry,
  },
  hasPenalties: true,
})
