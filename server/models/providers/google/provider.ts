import { omitUndefined } from '../../chat-api.ts'
import { readCount } from '../list-values.ts'
import type { ProviderDefinition } from '../provider.ts'
import { generateContentApi } from './generate-content.ts'

/** Listed with `generateContent`, but without text answers or only over live connections. */
const nonChatPattern = /-tts\b|native-audio|-live\b|^(?:imagen|veo|lyria)-/

export const google: ProviderDefinition = {
  id: 'google',
  name: 'Google Gemini',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  getHeaders: (key) => ({ ...(key !== null && { 'x-goog-api-key': key }) }),
  getChatApi: () => generateContentApi,
  maxTemperature: 2,
  modelsPath: '/models?pageSize=1000',
  readModel({ name, displayName, supportedGenerationMethods, inputTokenLimit, outputTokenLimit }) {
    const isChat = Array.isArray(supportedGenerationMethods) && supportedGenerationMethods.includes('generateContent')
    if (typeof name !== 'string' || !isChat) return undefined
    const id = name.replace(/^models\//, '')
    if (nonChatPattern.test(id)) return undefined
    return omitUndefined({
      id,
      name: typeof displayName === 'string' ? displayName : undefined,
      window: readCount(inputTokenLimit),
      maxOutput: readCount(outputTokenLimit),
    })
  },
  getNextPage: ({ nextPageToken }) =>
    typeof nextPageToken === 'string' && nextPageToken !== ''
      ? `?pageSize=1000&pageToken=${encodeURIComponent(nextPageToken)}`
      : undefined,
}
