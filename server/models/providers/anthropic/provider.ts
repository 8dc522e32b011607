import type { ProviderDefinition } from '../provider.ts'
import { messages } from './messages.ts'

export const anthropic: ProviderDefinition = {
  id: 'anthropic',
  name: 'Anthropic',
  baseUrl: 'https://api.anthropic.com/v1',
  getHeaders: (key) => ({ ...(key !== null && { 'x-api-key': key }), 'anthropic-version': '2023-06-01' }),
  getChatApi: () => messages,
  maxTemperature: 1,
  modelsPath: '/models?limit=1000',
  readModel: ({ id, display_name }) =>
    typeof id === 'string' ? { id, ...(typeof display_name === 'string' && { name: display_name }) } : undefined,
}
