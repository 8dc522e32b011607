import { getProviderFacts, getProviderName } from '#contract/providers/registry.ts'
import { keepVerdict } from '#server/agents/runs/ask-model.ts'
import type { BudgetHold } from '#server/agents/usage/hold-budget.ts'
import { type CallOutcome, endingOf } from '#server/agents/usage/settlement.ts'
import { withRetries } from '#server/agents/usage/with-retries.ts'
import { wholeMedia } from '#server/media/media-store.ts'
import { ModelFailure } from '#server/models/model-failure.ts'
import type { ModelUsage } from '#server/models/model-request.ts'
import { type Transcription, transcribe } from '#server/models/transcribe.ts'
import type { Services } from '#server/services.ts'
import { tellKeeperChanged } from '../entries/tell-keeper-changed.ts'
import type { MediaRow } from '../media/media-view.ts'
import type { ChosenTranscriber } from './choose-transcriber.ts'

/** Longer than any transcription, so an expired lease means that its process is gone. */
export const transcriptionLeaseMs = 6 * 60 * 1000
/** The providers' limit. */
export const mostSentBytes = 25 * 1024 * 1024

export interface TranscriptionUnderWay {
  entryId: string
  ownerId: string
  keeperId: string
  /** End of the lease, which identifies this attempt. */
  until: number
  recording: MediaRow
  chosen: ChosenTranscriber
  hold: BudgetHold
}

const nothingUsed = { input_tokens: 0, output_tokens: 0, estimated: true }
export const nothingSent: CallOutcome = {
  usage: { ...nothingUsed, cost_usd: null },
  failure: 'not-sent',
  durationMs: 0,
}
const interrupted = 'The server restarted before the recording was transcribed. Try again.'

const underWay = new WeakMap<Services, Map<Promise<void>, AbortController>>()

/** Runs in the background and never rejects; the outcome is stored in the entry. */
export function carryOutTranscription(services: Services, work: TranscriptionUnderWay): void {
  const all = underWay.get(services) ?? new Map<Promise<void>, AbortController>()
  underWay.set(services, all)
  const abort = new AbortController()
  const ended = carryOut(services, work, abort.signal)
    .catch((error: unknown) => services.log.error({ err: error }, 'could not save the outcome of a transcription'))
    .finally(() => all.delete(ended))
  all.set(ended, abort)
}

/** On shutdown, before the database closes: aborts running transcriptions and stores that. */
export async function endTranscriptions(services: Services): Promise<void> {
  const all = underWay.get(services) ?? new Map<Promise<void>, AbortController>()
  for (const abort of all.values()) abort.abort()
  await Promise.all(all.keys())
}

/** Fails transcriptions with an expired lease; with `Infinity`, when the database belongs to this process alone, all.
 * */
export async function closeAbandonedTranscriptions(
  services: Services,
  leaseEndedBefore = services.now().getTime(),
): Promise<void> {
  await services.db
    .updateTable('voice_entries')
    .set({ transcript_status: 'failed', transcript_error: interrupted, transcript_until: null })
    .where('transcript_status', '=', 'queued')
    .where('transcript_until', '<=', Math.min(leaseEndedBefore, Number.MAX_SAFE_INTEGER))
    .execute()
}

async function carryOut(services: Services, work: TranscriptionUnderWay, signal: AbortSignal): Promise<void> {
  const { chosen, hold, recording } = work
  const { provider, key } = chosen
  const startedAt = performance.now()
  let used: ModelUsage = nothingUsed
  let how: Omit<CallOutcome, 'usage' | 'durationMs'> = { failure: null }
  let ending: { transcription: Transcription } | { error: string }
  try {
    const bytes = await wholeMedia(services.media, recording.sha256)
    const { baseUrl } = key
    const transcription = await transcribe(
      services.modelRuntime,
      {
        provider,
        model: chosen.model,
        recording: { bytes, mime: recording.mime },
        credential: { key: key.key, baseUrl },
        retry: getProviderFacts(provider).settings.retry,
        signal,
        mayPayAgain: hold.payAgain,
      },
      (event) => {
        if (event.type !== 'finish') return
        used = event.usage
        how = { failure: null, lostAnswers: event.lostAnswers }
      },
    )
    ending = { transcription }
    await keepVerdict(services, { provider, key }, 'works')
  } catch (error) {
    if (!(error instanceof ModelFailure)) services.log.error({ err: error }, 'transcription failed unexpectedly')
    how = error instanceof ModelFailure ? endingOf(error) : { failure: 'not-sent' }
    ending = { error: wordsFor(error, getProviderName(provider)) }
    if (error instanceof ModelFailure) await keepVerdict(services, { provider, key }, error)
  }
  const outcome = { usage: { ...used, cost_usd: null }, ...how, durationMs: performance.now() - startedAt }
  await withRetries(services, () => services.db.batch([...hold.settle(outcome), ended(services, work, ending)]))
  tellKeeperChanged(services, work.ownerId, work.keeperId, 'voice')
}

/** Writes nothing if the recording or the lease changed. */
function ended(
  { db }: Services,
  { entryId, until, recording }: TranscriptionUnderWay,
  ending: { transcription: Transcription } | { error: string },
) {
  const found =
    'error' in ending
      ? { transcript_status: 'failed' as const, transcript_error: ending.error }
      : {
          transcript_status: 'done' as const,
          transcript_error: null,
          transcript: ending.transcription.text,
          language: ending.transcription.language,
        }
  return db
    .updateTable('voice_entries')
    .set({ ...found, transcript_until: null })
    .where('id', '=', entryId)
    .where('audio_id', '=', recording.id)
    .where('transcript_status', '=', 'queued')
    .where('transcript_until', '=', until)
}

/** Recording-specific messages for provider failures. */
function wordsFor(error: unknown, provider: string): string {
  if (!(error instanceof ModelFailure)) return "The recording couldn't be read on this server. Try again."
  if (error.code === 'stopped') return interrupted
  if (error.code === 'request-too-large') return `The recording is larger than ${provider} accepts.`
  if (error.code === 'provider-refused') return `${provider} couldn't use this recording.`
  if (error.code === 'model-not-found') return `${provider} doesn't transcribe recordings with this key.`
  return error.message
}
