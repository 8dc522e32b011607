import { fetchList, type ListRequest } from './fetch-list.ts'
import type { ModelRuntime } from './model-request.ts'

/** OpenAI lists everything it sells under one address, without saying what is for chatting. */
const notForChat =
  /embedding|whisper|tts|dall-e|image|moderation|davinci|babbage|realtime|audio|transcribe|sora|instruct/i

const maxNameLength = 200

/**
 * The names of the models this key may chat with (for ElevenLabs: speak with), in the provider's order.
 *
 * @throws ModelFailure, after at most 5 seconds.
 */
export async function listModels(runtime: ModelRuntime, request: ListRequest): Promise<string[]> {
  const { provider, credential } = request
  const entries = await fetchList(runtime, request, provider === 'anthropic' ? '/models?limit=1000' : '/models')
  const names = entries
    .filter(({ type, can_do_text_to_speech }) => {
      if (provider === 'together') return typeof type !== 'string' || type === 'chat'
      return provider !== 'elevenlabs' || can_do_text_to_speech === true
    })
    .map(({ id, model_id }) => id ?? model_id)
    .filter((name): name is string => typeof name === 'string' && name !== '' && name.length <= maxNameLength)
  // A local server lists only what it runs.
  return provider === 'openai' && credential.baseUrl === null ? names.filter((name) => !notForChat.test(name)) : names
}
