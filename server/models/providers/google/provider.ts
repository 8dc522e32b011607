import type { ProviderDefinition } from '../provider.ts'
import { generateContent } from './generate-content.ts'

export const google: ProviderDefinition = {
  id: 'google',
  name: 'Google Gemini',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  getHeaders: (key) => ({ ...(key !== null && { 'x-goog-api-key': key }) }),
  getChatApi: () => generateContent,
  maxTemperature: 2,
  modelsPath: '/models?pageSize=1000',
  readModel({ name, displayName, supportedGenerationMethods }) {
    const isChat = Array.isArray(supportedGenerationMethods) && supportedGenerationMethods.includes('generateContent')
    if (typeof name !== 'string' || !isChat) return undefined
    return {
      id: name.replace(/^models\//, ''),
      ...(typeof displayName === 'string' && { name: displayName }),
    }
  },
}
