import { journeyStatuses, pigments } from '#contract/keepers/journeys.ts'
import { cardStates } from '#contract/keepers/memory-cards.ts'
import { transcriptStatuses } from '#contract/keepers/voice.ts'
import type { EntryEntity } from '../entries/entry-tables.ts'

/*
 * What of each table goes into an archive and comes back, column by column. Everything a person wrote is here; what a
 * machine made of it (vectors, indexes, counts) and what only means something on one server (revisions, ids of people)
 * is made anew.
 */

/** Entities whose rows have an id of their own in an archive. */
export type ArchivedEntity = Exclude<EntryEntity, 'topic' | 'path'>

export type ColumnKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'json'
  /** Milliseconds in the row, ISO in the archive. */
  | 'time'
  /** `2026-11-20` */
  | 'day'
  | 'timezone'
  | { oneOf: readonly string[] }
  /** The id of another archived row. */
  | { ref: ArchivedEntity }

/** In the order in which they come back: what is named by others first. */
export const archivedEntities = ['journey', 'moment', 'reflection', 'card', 'voice', 'echo', 'logbook'] as const

/** The key of each entity's list in `keeper.json`. */
export const archiveKeys = {
  journey: 'journeys',
  moment: 'moments',
  reflection: 'reflections',
  card: 'memoryCards',
  voice: 'voiceEntries',
  echo: 'echoes',
  logbook: 'logbook',
} as const satisfies Record<ArchivedEntity, string>

export const archiveColumns: Record<ArchivedEntity, Record<string, ColumnKind>> = {
  journey: {
    title: 'text',
    purpose: 'text',
    status: { oneOf: journeyStatuses },
    started_on: 'day',
    ends_on: 'day',
    completed_at: 'time',
    color: { oneOf: pigments },
    ai_visible: 'boolean',
  },
  moment: {
    occurred_at: 'time',
    local_date: 'day',
    timezone: 'timezone',
    title: 'text',
    body: 'text',
    mood_score: 'number',
    mood_label: 'text',
    place: 'json',
    weather: 'json',
    journey_id: { ref: 'journey' },
    prompt_id: 'text',
    pinned: 'boolean',
    ai_visible: 'boolean',
  },
  reflection: {
    agent_id: 'text',
    topic: 'text',
    content: 'text',
    ai_visible: 'boolean',
    rested_at: 'time',
    promoted_at: 'time',
    moment_id: { ref: 'moment' },
  },
  card: {
    reflection_id: { ref: 'reflection' },
    reflection_agent_id: 'text',
    reflection_created_at: 'time',
    content: 'text',
    topic: 'text',
    ai_visible: 'boolean',
    state: { oneOf: cardStates },
  },
  voice: {
    agent_id: 'text',
    label: 'text',
    belief: 'text',
    ai_visible: 'boolean',
    duration_ms: 'number',
    transcript: 'text',
    transcript_status: { oneOf: transcriptStatuses },
    language: 'text',
    strength: 'number',
    still_true: 'json',
  },
  echo: {
    agent_id: 'text',
    message: 'text',
    sealed: 'boolean',
    trigger_at: 'time',
    trigger_conditions: 'json',
    ready_at: 'time',
    ready_because: 'text',
    mailed_at: 'time',
    delivered_at: 'time',
  },
  logbook: {
    agent_id: 'text',
    entry: 'text',
    label: 'text',
    category: 'text',
    tags: 'json',
    occurred_on: 'day',
    pinned: 'boolean',
    ai_visible: 'boolean',
    moment_id: { ref: 'moment' },
    journey_id: { ref: 'journey' },
  },
}

/** Columns that may be empty; any other that is makes an entry unreadable. */
export const mayBeEmpty = new Set([
  'purpose',
  'started_on',
  'ends_on',
  'completed_at',
  'title',
  'mood_score',
  'mood_label',
  'place',
  'weather',
  'journey_id',
  'prompt_id',
  'topic',
  'rested_at',
  'promoted_at',
  'moment_id',
  'reflection_id',
  'reflection_agent_id',
  'reflection_created_at',
  'duration_ms',
  'transcript',
  'language',
  'strength',
  'trigger_at',
  'trigger_conditions',
  'ready_at',
  'ready_because',
  'mailed_at',
  'delivered_at',
])

/** `local_date` → `localDate`. */
export function archiveName(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
