import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { defineEntityEndpoint, defineRemoval } from './entity-endpoint.ts'
import { agentId, aiVisible, clientId, instant, keeperIdField, pagedQuery, recordFields } from './keeper-fields.ts'

export const transcriptStatuses = ['none', 'queued', 'done', 'failed'] as const

export const voiceEntry = z.object({
  ...recordFields,
  agentId: z.string(),
  label: displayLine,
  belief: z.string(),
  aiVisible: z.boolean(),
  audioId: z.nullable(z.string()),
  durationMs: z.nullable(z.number()),
  transcript: z.nullable(z.string()),
  transcriptStatus: z.enum(transcriptStatuses),
  transcriptError: z.optional(z.nullable(z.string())),
  language: z.nullable(z.string()),
  /** 1 (faint) to 5 (sure). */
  strength: z.nullable(z.number()),
  /** Answers to "Does it still hold?"; the belief itself stays unchanged. */
  stillTrue: z.array(z.object({ answer: z.boolean(), note: z.nullable(z.string()), at: z.string() })),
})
export type VoiceEntry = z.infer<typeof voiceEntry>

const requiredMessage = 'Both label and belief are required'
const label = oneLine({ max: 120, min: 1, message: requiredMessage })
const belief = z
  .string()
  .check(z.trim(), z.minLength(1, requiredMessage), z.maxLength(20_000, 'Use at most 20,000 characters.'))
const strength = z.optional(z.nullable(z.int('Choose a number from 1 to 5.').check(z.minimum(1), z.maximum(5))))
const audioId = z.optional(z.nullable(z.string().check(z.maxLength(64))))

export const voice = {
  list: defineEntityEndpoint('GET /api/keeper/keepers/:id/voice-entries', {
    summary: 'List voice entries, newest first; 1,000 per page',
    query: pagedQuery,
    response: z.array(voiceEntry),
  }),
  create: defineEntityEndpoint('POST /api/keeper/keepers/:id/voice-entries', {
    summary: 'Add a voice entry',
    body: z.object({
      id: z.optional(clientId),
      ...keeperIdField,
      createdAt: z.optional(instant),
      label,
      belief,
      agentId,
      aiVisible,
      strength,
      audioId,
    }),
    response: voiceEntry,
    supportsIdempotencyKey: true,
  }),
  update: defineEntityEndpoint('PUT /api/keeper/voice-entries/:id', {
    summary: 'Update a voice entry; its recording stays',
    body: z.object({ label: z.optional(label), belief: z.optional(belief), aiVisible, strength, audioId }),
    response: voiceEntry,
  }),
  remove: defineRemoval('DELETE /api/keeper/voice-entries/:id', 'Move a voice entry to the trash'),
  stillTrue: defineEntityEndpoint('POST /api/keeper/voice-entries/:id/still-true', {
    summary: 'Record whether a belief still holds, as a dated answer',
    body: z.object({
      answer: z.boolean('Use true or false.'),
      note: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(2000)))),
    }),
    response: voiceEntry,
    supportsIdempotencyKey: true,
  }),
  transcribe: defineEntityEndpoint('POST /api/keeper/voice-entries/:id/transcribe', {
    summary: 'Have the recording transcribed by a provider you have a key for',
    response: voiceEntry,
  }),
  transcription: defineEndpoint('GET /api/keeper/transcription', {
    summary: 'Get the provider that would transcribe your recordings; null if you have no key',
    access: 'person',
    response: z.object({ provider: z.nullable(z.string()), model: z.nullable(z.string()) }),
  }),
}
