import { chatCompletionsApi } from '../openai/chat-completions.ts'
import { readCompatibleModel } from '../openai/compatible-list.ts'
import type { ProviderDefinition } from '../provider.ts'

export const together: ProviderDefinition = {
  id: 'together',
  name: 'Together AI',
  baseUrl: 'https://api.together.xyz/v1',
  getHeaders: (key) => ({ ...(key !== null && { authorization: `Bearer ${key}` }) }),
  getChatApi: () => chatCompletionsApi,
  maxTemperature: 1,
  modelsPath: '/models',
  readModel: (entry) =>
    typeof entry.type !== 'string' || entry.type === 'chat' ? readCompatibleModel(entry) : undefined,
  embedding: { path: '/embeddings' },
  transcription: { path: '/audio/transcriptions' },
  reportsTooLongAsForbidden: true,
}
