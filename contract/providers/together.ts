import { defaultRetry, defineProvider } from './provider-info.ts'

export const together = defineProvider({
  id: 'together',
  name: 'Together AI',
  key: {
    format: 'at least 11 characters',
    startsWith: '',
    longerThan: 10,
    address: 'https://api.together.ai/settings/api-keys',
    costTier: '$',
    platformCostTier: 'Medium',
  },
  offeredModels: [
    'meta-llama/Llama-2-70b-chat-hf',
    'meta-llama/Llama-2-13b-chat-hf',
    'meta-llama/Llama-2-7b-chat-hf',
    'mistralai/Mixtral-8x7B-Instruct-v0.1',
  ],
  settings: { model: 'openai/gpt-oss-120b', temperature: 0.7, max_tokens: 2000, retry: defaultRetry },
})
