import type { VoiceEntry } from '#contract/keepers/voice.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import type { Person } from '#server/accounts/person.ts'
import { reserveBudget } from '#server/agents/usage/reserve-budget.ts'
import { Problem } from '#server/http/problem.ts'
import { tokensPerSecond } from '#server/models/transcribe.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import type { MediaRow } from '../media/media-view.ts'
import { chooseTranscriber } from './choose-transcriber.ts'
import {
  executeTranscription,
  maxTranscriptionBytes,
  notSentOutcome,
  transcriptionLeaseMs,
} from './execute-transcription.ts'
import { toVoiceEntry, type VoiceRow } from './voice-view.ts'

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
