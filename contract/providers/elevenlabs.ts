import { defaultRetry, defineProvider } from './provider-info.ts'

export const elevenlabs = defineProvider({
  id: 'elevenlabs',
  name: 'ElevenLabs',
  key: {
    format: 'at least 11 characters',
    startsWith: '',
    longerThan: 10,
    address: 'https://elevenlabs.io/app/settings/api-keys',
    costTier: '$',
    platformCostTier: 'Medium',
  },
  offeredModels: ['eleven_monolingual_v1', 'eleven_multilingual_v2', 'eleven_turbo_v2'],
  settings: { model: 'eleven_multilingual_v2', temperature: 0.5, max_tokens: 1000, retry: defaultRetry },
})
