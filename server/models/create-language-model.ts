import type { OpenAIProvider } from '@ai-sdk/openai'
import type { Provider } from '#contract/agents/model-settings.ts'
import type { Credential } from './model-request.ts'
import { baseUrlOf } from './provider-endpoint.ts'

export type LanguageModel = Pick<ReturnType<OpenAIProvider['chat']>, 'doStream' | 'doGenerate'>

/** The SDK's model, loaded on first use. Key and address are always given, else the SDKs look into the environment. */
export async function createLanguageModel(
  provider: Provider,
  model: string,
  { credential, fetch }: { credential: Credential; fetch: typeof globalThis.fetch },
): Promise<LanguageModel> {
  const options = { apiKey: credential.key ?? '', baseURL: baseUrlOf(provider, credential), fetch }
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI(options).chat(model)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(options)(model)
    }
    case 'together': {
      const { createTogetherAI } = await import('@ai-sdk/togetherai')
      return createTogetherAI(options).chatModel(model)
    }
    case 'elevenlabs':
      throw new TypeError('ElevenLabs has voices, not language models. Use speak().')
  }
}
