import type { VoiceEntry } from '#contract/keepers/voice.ts'
import { getProviderInfo, getProviderName } from '#contract/providers/registry.ts'
import type { Person } from '#server/accounts/person.ts'
import { getModelList } from '#server/agents/model-lists/provider-lists.ts'
import { saveKeyVerdict } from '#server/agents/runs/execute/call-model.ts'
import { type BudgetReservation, reserveBudget } from '#server/agents/usage/reserve-budget.ts'
import { type CallOutcome, retryWhileBusy, toCallOutcome } from '#server/agents/usage/settlement.ts'
import { Problem } from '#server/http/problem.ts'
import { type ChosenKey, chooseKey } from '#server/keys/choose-key.ts'
import { readWholeMedia } from '#server/media/media-store.ts'
import { getCatalog } from '#server/models/catalog/catalog.ts'
import { ModelFailure } from '#server/models/model-failure.ts'
import type { ModelUsage } from '#server/models/model-request.ts'
import type { ListedModel } from '#server/models/providers/provider.ts'
import {
  type Transcriber,
  type Transcription,
  tokensPerSecond,
  transcribe,
  transcribers,
} from '#server/models/transcribe.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import type { MediaRow } from '../media/media-view.ts'
import { toVoiceEntry, type VoiceRow } from './save-voice.ts'

/** Longer than any transcription, so an expired lease means that its process has crashed. */
export const transcriptionLeaseMs = 6 * 60 * 1000
const maxTranscriptionBytes = 25 * 1024 * 1024

interface RunningTranscription {
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
const notSentOutcome: CallOutcome = {
  usage: { ...noUsage, cost_usd: null },
  failure: 'not-sent',
  durationMs: 0,
}
const interruptedMessage = 'The server restarted before the recording was transcribed. Try again.'

const runningTranscriptions = new WeakMap<Services, Map<Promise<void>, AbortController>>()

/** Runs in the background and never rejects; the outcome is stored in the entry. */
function executeTranscription(services: Services, job: RunningTranscription): void {
  const running = runningTranscriptions.get(services) ?? new Map<Promise<void>, AbortController>()
  runningTranscriptions.set(services, running)
  const controller = new AbortController()
  const finished = runTranscription(services, job, controller.signal)
    .catch((error: unknown) => services.log.error({ err: error }, 'could not save the outcome of a transcription'))
    .finally(() => running.delete(finished))
  running.set(finished, controller)
}

/** On shutdown, before the database closes: aborts running transcriptions and stores that. */
export async function stopTranscriptions(services: Services): Promise<void> {
  const running = runningTranscriptions.get(services) ?? new Map<Promise<void>, AbortController>()
  for (const controller of running.values()) controller.abort()
  await Promise.all(running.keys())
}

/** Fails transcriptions with an expired lease. A process with exclusive access to the database passes `Infinity` at startup. */
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

async function runTranscription(services: Services, job: RunningTranscription, signal: AbortSignal): Promise<void> {
  const { transcriber, reservation, recording } = job
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
  await retryWhileBusy(services, () =>
    services.db.batch([...reservation.settle(outcome), createOutcomeWrite(services, job, transcriptionResult)]),
  )
  publishKeeperChanged(services, job.ownerId, job.keeperId, 'voice')
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

/** Agent id of transcriptions in the ledger; there is no such agent. */
const transcriptionAgent = { id: 'transcription', owner_id: null, visitor_daily_micros: null }
/** Assumed for recordings of unknown length: 16 kbit/s. */
const minBytesPerSecond = 2000

/** @throws Problem 422 for an entry that is not for AI, 409 without a recording or key, 413, 429 over budget */
export async function startTranscription(services: Services, person: Person, id: string): Promise<VoiceEntry> {
  const row = await requireEntryFor(services, person, 'voice', id)
  if (!row.ai_visible)
    throw new Problem('unprocessable', {
      message: 'This entry is marked “not for AI”, so its recording isn’t sent anywhere.',
    })
  const recording = await requireRecording(services, row)
  const transcriber = await chooseTranscriber(services, person)
  if (!transcriber)
    throw new Problem('conflict', {
      message: 'This recording can’t be transcribed yet. Save an OpenAI or Together AI key in your profile first.',
    })
  if (recording.bytes > maxTranscriptionBytes)
    throw new Problem('too-large', {
      message: `${getProviderName(transcriber.provider)} accepts recordings of up to 25 MB.`,
    })
  const now = services.now().getTime()
  if (row.transcript_status === 'done' || isTranscribing(row, now)) return toVoiceEntry(row)

  const seconds = recording.duration_ms ? recording.duration_ms / 1000 : recording.bytes / minBytesPerSecond
  const reservation = await reserveBudget(services, {
    runId: services.newId(),
    agent: transcriptionAgent,
    personId: person.id,
    visitorId: null,
    provider: transcriber.provider,
    model: transcriber.model,
    key: transcriber.key,
    inputTokens: Math.ceil(seconds * tokensPerSecond),
    maxOutputTokens: 0,
  })
  const leaseUntil = now + transcriptionLeaseMs
  const claimResult = await services.db.write(
    services.db
      .updateTable('voice_entries')
      .set({ transcript_status: 'queued', transcript_error: null, transcript_until: leaseUntil })
      .where('id', '=', id)
      .where('audio_id', '=', recording.id)
      .where('ai_visible', '=', true)
      .where('deleted_at', 'is', null)
      .where((where) =>
        where.or([where('transcript_status', 'in', ['none', 'failed']), where('transcript_until', '<=', now)]),
      ),
  )
  if (claimResult.changes === 0) {
    await services.db.batch(reservation.settle(notSentOutcome))
    return toVoiceEntry(await requireEntryFor(services, person, 'voice', id))
  }
  publishKeeperChanged(services, row.owner_id, row.keeper_id, 'voice')
  executeTranscription(services, {
    entryId: id,
    ownerId: row.owner_id,
    keeperId: row.keeper_id,
    leaseUntil,
    recording,
    transcriber,
    reservation,
  })
  // The row isn't reloaded, because a fast provider may already have finished.
  return toVoiceEntry({ ...row, transcript_status: 'queued', transcript_error: null, transcript_until: leaseUntil })
}

async function requireRecording({ db }: Services, row: VoiceRow): Promise<MediaRow> {
  const recording =
    row.audio_id &&
    (await db
      .selectFrom('media')
      .selectAll()
      .where('id', '=', row.audio_id)
      .where('person_id', '=', row.owner_id)
      .executeTakeFirst())
  if (!recording) throw new Problem('conflict', { message: 'This entry has no recording. Record one first.' })
  return recording
}

const isTranscribing = ({ transcript_status, transcript_until }: VoiceRow, now: number) =>
  transcript_status === 'queued' && transcript_until !== null && transcript_until > now

interface ChosenTranscriber {
  provider: Transcriber
  model: string
  key: ChosenKey
}

/** A provider with a personal key, else one with a platform key. A failing personal key is never replaced. */
export async function chooseTranscriber(services: Services, person: Person): Promise<ChosenTranscriber | undefined> {
  const ownerlessAgent = { owner_id: null, visitors_spend_owner_key: false }
  const candidates = await Promise.all(
    transcribers.map(async (provider) => ({
      provider,
      key: await chooseKey(services, { personId: person.id, agent: ownerlessAgent }, provider),
    })),
  )
  const findBySource = (source: ChosenKey['source']) => candidates.find(({ key }) => key.source === source)
  const chosenProvider = findBySource('personal') ?? findBySource('platform')
  return chosenProvider && { ...chosenProvider, model: await chooseModel(services, person, chosenProvider.provider) }
}

async function chooseModel(services: Services, person: Person, provider: Transcriber): Promise<string> {
  const recommended = getCatalog()
    .listRecommended(provider, 'transcription')
    .map(({ id }) => id)
  const [fallbackModel = 'whisper-1'] = recommended
  const { baseUrl } = services.settings.providers[provider]
  if (baseUrl === null) return fallbackModel
  const getListedModels = () => services.modelLists.getLatest<ListedModel>({ kind: 'models', provider, baseUrl })
  if (!getListedModels()) await getModelList(services, person, { provider })
  const listedIds = getListedModels()?.map(({ id }) => id) ?? []
  return (
    recommended.find((model) => listedIds.includes(model)) ??
    listedIds.find((model) => /transcri|whisper/i.test(model)) ??
    fallbackModel
  )
}
