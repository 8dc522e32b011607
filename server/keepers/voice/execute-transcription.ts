import { getProviderInfo, getProviderName } from '#contract/providers/registry.ts'
import { saveKeyVerdict } from '#server/agents/runs/execute/call-model.ts'
import type { BudgetReservation } from '#server/agents/usage/reserve-budget.ts'
import { type CallOutcome, toCallOutcome, withRetries } from '#server/agents/usage/settlement.ts'
import { readWholeMedia } from '#server/media/media-store.ts'
import { ModelFailure } from '#server/models/model-failure.ts'
import type { ModelUsage } from '#server/models/model-request.ts'
import { type Transcription, transcribe } from '#server/models/transcribe.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import type { MediaRow } from '../media/media-view.ts'
import type { ChosenTranscriber } from './choose-transcriber.ts'

/** Longer than any transcription, so an expired lease means that its process is gone. */
export const transcriptionLeaseMs = 6 * 60 * 1000
export const maxTranscriptionBytes = 25 * 1024 * 1024

export interface RunningTranscription {
  entryId: string
  ownerId: string
  keeperId: string
  /** End of the lease, which identifies this attempt. */
  leaseUntil: number
  recording: MediaRow
  transcriber: ChosenTranscriber
  reservation: BudgetReservation
}

const noUsage = { input_tokens: 0, output_tokens: 0, estimated: true }
export const notSentOutcome: CallOutcome = {
  usage: { ...noUsage, cost_usd: null },
  failure: 'not-sent',
  durationMs: 0,
}
const interruptedMessage = 'The server restarted before the recording was transcribed. Try again.'

const runningTranscriptions = new WeakMap<Services, Map<Promise<void>, AbortController>>()

/** Runs in the background and never rejects; the outcome is stored in the entry. */
export function executeTranscription(services: Services, work: RunningTranscription): void {
  const running = runningTranscriptions.get(services) ?? new Map<Promise<void>, AbortController>()
  runningTranscriptions.set(services, running)
  const abort = new AbortController()
  const finished = runTranscription(services, work, abort.signal)
    .catch((error: unknown) => services.log.error({ err: error }, 'could not save the outcome of a transcription'))
    .finally(() => running.delete(finished))
  running.set(finished, abort)
}

/** On shutdown, before the database closes: aborts running transcriptions and stores that. */
export async function stopTranscriptions(services: Services): Promise<void> {
  const running = runningTranscriptions.get(services) ?? new Map<Promise<void>, AbortController>()
  for (const abort of running.values()) abort.abort()
  await Promise.all(running.keys())
}

/** Only expired leases; `Infinity` fails all, when the database belongs to this process alone. */
export async function closeAbandonedTranscriptions(
  services: Services,
  leaseExpiredBefore = services.now().getTime(),
): Promise<void> {
  await services.db
    .updateTable('voice_entries')
    .set({ transcript_status: 'failed', transcript_error: interruptedMessage, transcript_until: null })
    .where('transcript_status', '=', 'queued')
    .where('transcript_until', '<=', Math.min(leaseExpiredBefore, Number.MAX_SAFE_INTEGER))
    .execute()
}

async function runTranscription(services: Services, work: RunningTranscription, signal: AbortSignal): Promise<void> {
  const { transcriber, reservation, recording } = work
  const { provider, key } = transcriber
  const startedAt = performance.now()
  let usage: ModelUsage = noUsage
  let callOutcome: Omit<CallOutcome, 'usage' | 'durationMs'> = { failure: null }
  let transcriptionResult: { transcription: Transcription } | { error: string }
  try {
    const bytes = await readWholeMedia(services.media, recording.sha256)
    const { baseUrl } = key
    const transcription = await transcribe(
      services.modelRuntime,
      {
        provider,
        model: transcriber.model,
        recording: { bytes, mime: recording.mime },
        credential: { key: key.key, baseUrl },
        retry: getProviderInfo(provider).settings.retry,
        signal,
        reserveRetry: reservation.reserveRetry,
      },
      (event) => {
        if (event.type !== 'finish') return
        usage = event.usage
        callOutcome = { failure: null, lostResponseCount: event.lostResponseCount }
      },
    )
    transcriptionResult = { transcription }
    await saveKeyVerdict(services, { provider, key }, 'works')
  } catch (error) {
    if (!(error instanceof ModelFailure)) services.log.error({ err: error }, 'transcription failed unexpectedly')
    callOutcome = error instanceof ModelFailure ? toCallOutcome(error) : { failure: 'not-sent' }
    transcriptionResult = { error: toErrorMessage(error, getProviderName(provider)) }
    if (error instanceof ModelFailure) await saveKeyVerdict(services, { provider, key }, error)
  }
  const outcome = { usage: { ...usage, cost_usd: null }, ...callOutcome, durationMs: performance.now() - startedAt }
  await withRetries(services, () =>
    services.db.batch([...reservation.settle(outcome), createOutcomeWrite(services, work, transcriptionResult)]),
  )
  publishKeeperChanged(services, work.ownerId, work.keeperId, 'voice')
}

function createOutcomeWrite(
  { db }: Services,
  { entryId, leaseUntil, recording }: RunningTranscription,
  transcriptionResult: { transcription: Transcription } | { error: string },
) {
  const columns =
    'error' in transcriptionResult
      ? { transcript_status: 'failed' as const, transcript_error: transcriptionResult.error }
      : {
          transcript_status: 'done' as const,
          transcript_error: null,
          transcript: transcriptionResult.transcription.text,
          language: transcriptionResult.transcription.language,
        }
  return db
    .updateTable('voice_entries')
    .set({ ...columns, transcript_until: null })
    .where('id', '=', entryId)
    .where('audio_id', '=', recording.id)
    .where('transcript_status', '=', 'queued')
    .where('transcript_until', '=', leaseUntil)
}

function toErrorMessage(error: unknown, provider: string): string {
  if (!(error instanceof ModelFailure)) return 'The recording couldn’t be read on this server. Try again.'
  if (error.code === 'stopped') return interruptedMessage
  if (error.code === 'request-too-large') return `The recording is larger than ${provider} accepts.`
  if (error.code === 'provider-refused') return `${provider} couldn’t use this recording.`
  if (error.code === 'model-not-found') return `${provider} doesn’t transcribe recordings with this key.`
  return error.message
}
