import { chatCompletionsApi } from '../openai/chat-completions.ts'
import { getNextCompatiblePage, readCompatibleModel } from '../openai/compatible-list.ts'
import { responsesApi } from '../openai/responses.ts'
import type { ProviderDefinition } from '../provider.ts'

export function createCompatible(id: string, name: string): ProviderDefinition {
  return {
    id,
    name,
    baseUrl: null,
    getHeaders: (key) => ({ ...(key !== null && { authorization: `Bearer ${key}` }) }),
    getChatApi: ({ quirks }) => (quirks.api === 'responses' ? responsesApi : chatCompletionsApi),
    hasResponses: true,
    maxTemperature: 2,
    modelsPath: '/models',
    readModel: readCompatibleModel,
    getNextPage: getNextCompatiblePage,
  }
}
