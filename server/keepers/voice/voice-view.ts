import type { VoiceEntry } from '#contract/keepers/voice.ts'
import type { EntryRow } from '../entries/entry-tables.ts'
import { parseJsonColumn } from '../entries/json-column.ts'

export type VoiceRow = EntryRow<'voice'>

export function toVoiceEntry(row: VoiceRow): VoiceEntry {
  return {
    id: row.id,
    keeperId: row.keeper_id,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    rev: row.rev,
    agentId: row.agent_id,
    label: row.label,
    belief: row.belief,
    aiVisible: row.ai_visible,
    audioId: row.audio_id,
    durationMs: row.duration_ms,
    transcript: row.transcript,
    transcriptStatus: row.transcript_status,
    transcriptError: row.transcript_error,
    language: row.language,
    strength: row.strength,
    stillTrue: parseJsonColumn(row.still_true).map(({ answer, note, at }) => ({ answer, note, at })),
  }
}
