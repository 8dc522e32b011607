import { defaultAgentId } from '#contract/keepers/keeper-words.ts'
import { type VoiceEntry, voice } from '#contract/keepers/voice.ts'
import { demoVoice } from '../demo/demo-voice.ts'
import type { Room } from '../rooms/room.ts'

export const voiceRoom: Room<VoiceEntry> = {
  entity: 'voice',
  what: 'Voice entry',
  calls: voice,
  failures: {
    fetch: 'Failed to fetch voice entries',
    create: 'Failed to create voice entry',
    update: 'Failed to update voice entry',
    delete: 'Failed to delete voice entry',
  },
  words: ['label', 'belief'],
  fresh: (id, keeperId, at) => ({
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
  with: (entry, body) => ({
    ...entry,
    // The duration belongs to the previous recording; the server computes the new one.
    ...(body.audioId !== undefined && body.audioId !== entry.audioId && { durationMs: null }),
    ...body,
    id: entry.id,
  }),
  demo: demoVoice,
  sorted: (entries) => entries.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
}

export const isUpdated = ({ rev }: VoiceEntry) => rev > 1
