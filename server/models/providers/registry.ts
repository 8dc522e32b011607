import { getProviderName } from '#contract/providers/registry.ts'
import { omitUndefined } from '../chat-api.ts'
import { noQuirks, type Quirks } from '../quirks.ts'
import { messagesApi } from './anthropic/messages.ts'
import { generateContentApi } from './google/generate-content.ts'
import { readCount, readDay } from './list-values.ts'
import { chatCompletionsApi } from './openai/chat-completions.ts'
import { getNextCompatiblePage, readCompatibleModel } from './openai/compatible-list.ts'
import { responsesApi } from './openai/responses.ts'
import type { ListedModel, ProviderDefinition } from './provider.ts'

/** OpenAI's list doesn't say which models are for chat. */
const openAiNonChatPattern =
  /embedding|whisper|tts|dall-e|image|moderation|davinci|babbage|realtime|audio|transcribe|sora|instruct/i
const reasoningModelPattern = /^(?:o\d|gpt-[5-9](?!.*-chat))/

const reasoningQuirks: Quirks = {
  ...noQuirks,
  omitted: new Set(['temperature', 'top_p', 'frequency_penalty', 'presence_penalty']),
  renamed: new Map([['max_tokens', 'max_completion_tokens']]),
}

const openai: ProviderDefinition = {
  id: 'openai',
  name: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  getHeaders: (key) => ({ ...(key !== null && { authorization: `Bearer ${key}` }) }),
  getChatApi({ model, hasTools, quirks, hasDefaultHost }) {
    // Reasoning models refuse tools on Chat Completions, or use them without thinking.
    const prefersResponses = hasDefaultHost && hasTools && reasoningModelPattern.test(model)
    const api = quirks.api ?? (prefersResponses ? 'responses' : 'chat-completions')
    return api === 'responses' ? responsesApi : chatCompletionsApi
  },
  hasResponsesApi: true,
  maxTemperature: 2,
  getExpectedQuirks: (model) => (reasoningModelPattern.test(model) ? reasoningQuirks : undefined),
  modelsPath: '/models',
  readModel(entry, { hasDefaultHost }) {
    // A local server lists only what it runs.
    return hasDefaultHost && openAiNonChatPattern.test(String(entry.id)) ? undefined : readCompatibleModel(entry)
  },
  getNextPage: getNextCompatiblePage,
  embedding: { path: '/embeddings' },
  transcription: { path: '/audio/transcriptions' },
}

const anthropic: ProviderDefinition = {
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

const together: ProviderDefinition = {
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

/** Half the usual bit rate, still clear for speech: 8,000 bytes per second. */
const outputFormat = 'mp3_44100_64'

const elevenlabs: ProviderDefinition = {
  id: 'elevenlabs',
  name: 'ElevenLabs',
  baseUrl: 'https://api.elevenlabs.io/v1',
  getHeaders: (key) => ({ ...(key !== null && { 'xi-api-key': key }) }),
  maxTemperature: 1,
  modelsPath: '/models',
  readModel: ({ model_id, name, can_do_text_to_speech }) =>
    typeof model_id === 'string' && can_do_text_to_speech === true
      ? { id: model_id, ...(typeof name === 'string' && { name }) }
      : undefined,
  speech: {
    getPath: (voice) => `/text-to-speech/${voice}?output_format=${outputFormat}`,
    buildBody: ({ text, model }) => ({ text, model_id: model }),
  },
}

/** Google lists these with `generateContent`, but they don't answer in text, or only over live connections. */
const googleNonChatPattern = /-tts\b|native-audio|-live\b|^(?:imagen|veo|lyria)-/

const google: ProviderDefinition = {
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
    if (googleNonChatPattern.test(id)) return undefined
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

export const builtInProviders: readonly ProviderDefinition[] = [openai, anthropic, together, elevenlabs, google]

export function getProvider(id: string): ProviderDefinition {
  return builtInProviders.find((provider) => provider.id === id) ?? createCompatible(id, getProviderName(id))
}

function createCompatible(id: string, name: string): ProviderDefinition {
  return {
    id,
    name,
    baseUrl: null,
    getHeaders: (key) => ({ ...(key !== null && { authorization: `Bearer ${key}` }) }),
    getChatApi: ({ quirks }) => (quirks.api === 'responses' ? responsesApi : chatCompletionsApi),
    hasResponsesApi: true,
    maxTemperature: 2,
    modelsPath: '/models',
    readModel: readCompatibleModel,
    getNextPage: getNextCompatiblePage,
  }
}
