import { defaultRetry, defineProvider } from './provider-info.ts'

export const google = defineProvider({
  id: 'google',
  name: 'Google Gemini',
  key: {
    format: 'at least 21 characters',
    startsWith: '',
    longerThan: 20,
    address: 'https://aistudio.google.com/apikey',
    costTier: '$',
    platformCostTier: 'Medium',
  },
  offeredModels: ['gemini-4-argon', 'gemini-3.8-flash', 'gemini-3.5-flash-lite'],
  settings: { model: 'gemini-3.8-flash', temperature: 0.7, max_tokens: 4000, retry: defaultRetry },
})
