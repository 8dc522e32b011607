import { voice } from '#contract/keepers/voice.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { trashEntry } from '../entries/trash-entry.ts'
import { chooseTranscriber, startTranscription } from './execute-transcription.ts'
import { answerStillTrue, createVoice, listVoice, updateVoice } from './save-voice.ts'

export function voiceRoutes(services: Services): ServedCall[] {
  return serveArea('voice', voice, {
    list: ({ person, params, query }) => listVoice(services, person, params.id, query.cursor),
    create: ({ person, params, body }) => createVoice(services, person, params.id, body),
    update: ({ person, params, body, ifMatch }) => updateVoice(services, person, params.id, body, ifMatch),
    remove: ({ person, params }) => trashEntry(services, person, 'voice', params.id),
    stillTrue: ({ person, params, body }) => answerStillTrue(services, person, params.id, body),
    transcribe: ({ person, params }) => startTranscription(services, person, params.id),
    transcription: async ({ person }) => {
      const { provider = null, model = null } = (await chooseTranscriber(services, person)) ?? {}
      return { provider, model }
    },
  })
}
