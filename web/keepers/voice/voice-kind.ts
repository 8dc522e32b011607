import { defaultAgentId } from '#contract/keepers/keeper-fields.ts'
import { type VoiceEntry, voice } from '#contract/keepers/voice.ts'
import type { EntryKind } from '../entries/use-entry-list.ts'

export const voiceKind: EntryKind<VoiceEntry> = {
  entity: 'voice',
  label: 'Voice entry',
  endpoints: voice,
  errorTitles: {
    fetch: 'Failed to fetch voice entries',
    create: 'Failed to create voice entry',
    update: 'Failed to update voice entry',
    delete: 'Failed to delete voice entry',
  },
  textFields: ['label', 'belief'],
  createEmpty: (id, keeperId, at) => ({
    id,
    keeperId,
    createdAt: at,
    updatedAt: at,
    rev: 1,
    agentId: defaultAgentId,
    label: '',
    belief: '',
    aiVisible: true,
    audioId: null,
    durationMs: null,
    transcript: null,
    transcriptStatus: 'none',
    transcriptError: null,
    language: null,
    strength: null,
    stillTrue: [],
  }),
  applyChanges: (entry, body) => ({
    ...entry,
    // The duration belongs to the previous recording; the server computes the new one.
    ...(body.audioId !== undefined && body.audioId !== entry.audioId && { durationMs: null }),
    ...body,
    id: entry.id,
  }),
  sort: (entries) => entries.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
}

export const isUpdated = ({ rev }: VoiceEntry) => rev > 1
