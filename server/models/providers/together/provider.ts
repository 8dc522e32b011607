import { chatCompletions } from '../openai/chat-completions.ts'
import type { ProviderDefinition } from '../provider.ts'

export const together: ProviderDefinition = {
  id: 'together',
  name: 'Together AI',
  baseUrl: 'https://api.together.xyz/v1',
  getHeaders: (key) => ({ ...(key !== null && { authorization: `Bearer ${key}` }) }),
  getChatApi: () => chatCompletions,
  maxTemperature: 1,
  modelsPath: '/models',
  readModel: ({ id, type }) =>
    typeof id === 'string' && (typeof type !== 'string' || type === 'chat') ? { id } : undefined,
  embedding: { path: '/embeddings' },
  transcription: { path: '/audio/transcriptions', model: 'openai/whisper-large-v3' },
  isForbiddenTooLong: true,
}
