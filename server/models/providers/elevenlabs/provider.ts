import type { ProviderDefinition } from '../provider.ts'

/** Half the usual bit rate, still clear for speech: 8,000 bytes per second. */
const outputFormat = 'mp3_44100_64'

export const elevenlabs: ProviderDefinition = {
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
