import { omitUndefined } from '../../chat-api.ts'
import { readCount, readDay } from '../list-values.ts'
import type { ListedModel, ProviderDefinition } from '../provider.ts'
import { messagesApi } from './messages.ts'

export const anthropic: ProviderDefinition = {
  id: 'anthropic',
  name: 'Anthropic',
  baseUrl: 'https://api.anthropic.com/v1',
  getHeaders: (key) => ({ ...(key !== null && { 'x-api-key': key }), 'anthropic-version': '2023-06-01' }),
  getChatApi: () => messagesApi,
  maxTemperature: 1,
  modelsPath: '/models?limit=1000',
  readModel({ id, display_name, lifecycle, retires_at, max_input_tokens, max_tokens }) {
    if (typeof id !== 'string') return undefined
    return omitUndefined<ListedModel>({
      id,
      name: typeof display_name === 'string' ? display_name : undefined,
      window: readCount(max_input_tokens),
      maxOutput: readCount(max_tokens),
      shutdownDate: readDay(retires_at),
      lifecycle: lifecycle === 'deprecated' || lifecycle === 'retired' ? lifecycle : undefined,
    })
  },
  getNextPage: ({ has_more, last_id }) =>
    has_more === true && typeof last_id === 'string'
      ? `?limit=1000&after_id=${encodeURIComponent(last_id)}`
      : undefined,
}
