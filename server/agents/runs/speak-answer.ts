import { keepRecording } from '#server/media/keep-recording.ts'
import { mp3Duration } from '#server/media/mp3-duration.ts'
import { estimateTokens } from '#server/models/estimate-tokens.ts'
import { defaultLimits } from '#server/models/model-limits.ts'
import { type Speech, speak } from '#server/models/speak.ts'
import type { Services } from '#server/services.ts'
import type { Outcome, RunPlan } from './run-plan.ts'
import type { LiveRun } from './run-registry.ts'
import type { RunTrace } from './run-trace.ts'

/** Has ElevenLabs speak the input instead of asking a model, and keeps the recording. @throws ModelFailure */
export async function speakAnswer(
  services: Services,
  run: LiveRun,
  plan: RunPlan,
  trace: Pick<RunTrace, 'note'>,
): Promise<Outcome> {
  const text = plan.messages.at(-1)?.content ?? ''
  const { config } = plan.agent
  const speech = await speak(
    services.modelRuntime,
    {
      settings: plan.settings,
      text,
      voiceId: config.voice_id ?? '',
      credential: { key: plan.key.key, baseUrl: plan.key.baseUrl },
      signal: run.abort.signal,
      // A recording comes whole: its first byte is as late as its last.
      limits: { firstByteMs: defaultLimits.wallMs },
    },
    (event) => trace.note(event),
  )
  const { mime, bytes } = speech
  await keepRecording(services, { runId: run.id, personId: run.personId, visitorId: run.visitorId, mime, bytes })
  const response = told(text, config.voice_name, speech)
  run.append(response)
  return {
    status: 'success',
    errorCode: null,
    error: null,
    response,
    output: { type: 'audio', mime, url: `/api/kip/runs/${run.id}/audio`, bytes: bytes.length },
    // Sold by the character, under a subscription: what one run costs is not known.
    usage: {
      input_tokens: estimateTokens(text),
      output_tokens: 0,
      cost_usd: plan.key.key === null ? 0 : null,
      estimated: true,
    },
  }
}

/** "Spoke 214 characters as Rachel, 0:14, MP3." What is not known is left out. */
function told(text: string, voice: string | undefined, { mime, bytes }: Speech): string {
  const count = [...text].length
  const seconds = mime === 'audio/mpeg' ? mp3Duration(bytes) : null
  const as = voice ? ` as ${voice}` : ''
  return [
    `Spoke ${count.toLocaleString('en-US')} ${count === 1 ? 'character' : 'characters'}${as}`,
    ...(seconds === null ? [] : [clock(Math.round(seconds))]),
    `${mime === 'audio/mpeg' ? 'MP3' : mime.slice('audio/'.length).toUpperCase()}.`,
  ].join(', ')
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
