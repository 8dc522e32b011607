import { chatCompletions } from '../openai/chat-completions.ts'
import { responses } from '../openai/responses.ts'
import type { ProviderDefinition } from '../provider.ts'

/** Lists say in many ways what a model is for; those that only say so are left out. */
const notForChat = /embed|rerank|whisper|moderation|transcri|text-to-speech|tts/i

/** A service that speaks like OpenAI: Mistral, Groq, DeepSeek, xAI, OpenRouter, Azure, Ollama, vLLM and many more. */
export function createCompatible(id: string, name: string): ProviderDefinition {
  return {
    id,
    name,
    baseUrl: null,
    getHeaders: (key) => ({ ...(key !== null && { authorization: `Bearer ${key}` }) }),
    getChatApi: ({ quirks }) => (quirks.api === 'responses' ? responses : chatCompletions),
    hasResponses: true,
    maxTemperature: 2,
    modelsPath: '/models',
    readModel({ id: model, type }) {
      if (typeof model !== 'string' || (typeof type === 'string' && notForChat.test(type))) return undefined
      return notForChat.test(model) ? undefined : { id: model }
    },
  }
}
