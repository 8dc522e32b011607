import { noQuirks, type Quirks } from '../../quirks.ts'
import type { ProviderDefinition } from '../provider.ts'
import { chatCompletionsApi } from './chat-completions.ts'
import { getNextCompatiblePage, readCompatibleModel } from './compatible-list.ts'
import { responsesApi } from './responses.ts'

/** OpenAI's list doesn't say which models are for chat. */
const nonChatPattern =
  /embedding|whisper|tts|dall-e|image|moderation|davinci|babbage|realtime|audio|transcribe|sora|instruct/i
const reasoningModelPattern = /^(?:o\d|gpt-[5-9](?!.*-chat))/

const reasoningQuirks: Quirks = {
  ...noQuirks,
  omitted: new Set(['temperature', 'top_p', 'frequency_penalty', 'presence_penalty']),
  renamed: new Map([['max_tokens', 'max_completion_tokens']]),
}

export const openai: ProviderDefinition = {
  id: 'openai',
  name: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  getHeaders: (key) => ({ ...(key !== null && { authorization: `Bearer ${key}` }) }),
  getChatApi({ model, hasTools, quirks, hasDefaultHost }) {
    // Reasoning models refuse tools on Chat Completions, or use them without thinking.
    const prefersResponses = hasDefaultHost && hasTools && reasoningModelPattern.test(model)
    return (quirks.api ?? (prefersResponses ? 'responses' : 'chat-completions')) === 'responses'
      ? responsesApi
      : chatCompletionsApi
  },
  hasResponses: true,
  maxTemperature: 2,
  getExpectedQuirks: (model) => (reasoningModelPattern.test(model) ? reasoningQuirks : undefined),
  modelsPath: '/models',
  readModel(entry, { hasDefaultHost }) {
    // A local server lists only what it runs.
    return hasDefaultHost && nonChatPattern.test(String(entry.id)) ? undefined : readCompatibleModel(entry)
  },
  getNextPage: getNextCompatiblePage,
  embedding: { path: '/embeddings' },
  transcription: { path: '/audio/transcriptions' },
}
