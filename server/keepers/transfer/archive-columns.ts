import * as z from 'zod/mini'
import { triggerConditions } from '#contract/keepers/echoes.ts'
import { journeyStatuses, pigments } from '#contract/keepers/journeys.ts'
import { getLocalDay } from '#contract/keepers/local-time.ts'
import { logbookEntry } from '#contract/keepers/logbook.ts'
import { cardStates } from '#contract/keepers/memory-cards.ts'
import { place, weather } from '#contract/keepers/moments.ts'
import {
  maxSourceMessages,
  maxSourceTitleLength,
  sourceKinds,
  storedSourceMessages,
} from '#contract/keepers/sources.ts'
import { transcriptStatuses } from '#contract/keepers/voice.ts'
import { joinLines } from '#contract/linear-text.ts'
import { displayLine } from '#contract/one-line-text.ts'
import type { Services } from '#server/services.ts'
import type { EntryEntity } from '../entries/entry-tables.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { getPersonTimezone } from '../person-timezone.ts'
import type { ArchivedMedia } from './archive-format.ts'

// Columns of each table in an archive. Derived data (vectors, indexes, counts) and server-specific data (revisions, ids
// of people) are left out and created again on import.

const archivedLocation = z.object({
  name: z._default(displayLine, ''),
  lat: place.shape.lat,
  lng: place.shape.lng,
})
const archivedWeather = z.extend(weather, { source: z._default(weather.shape.source, '') })
const archivedAnswers = z.array(
  z.object({ answer: z.boolean(), note: z.nullable(z.string()), at: z._default(z.string(), '') }),
)
const archivedMessages = z
  .array(
    z.extend(storedSourceMessages.def.element, {
      role: z._default(storedSourceMessages.def.element.shape.role, 'document'),
      hidden: z._default(z.boolean(), false),
    }),
  )
  .check(z.maxLength(maxSourceMessages))

export type ArchivedEntity = Exclude<EntryEntity, 'topic' | 'path'>

export type ColumnKind =
  | 'text'
  /** One line of at most this many characters; on import, the overflow moves to the text of the entry. */
  | { maxLength: number }
  | 'boolean'
  | { from: number; to: number }
  /** `grows`: gains items every year, so only the size of the whole entry limits it. */
  | { json: z.ZodMiniType; grows?: true }
  | 'time'
  | 'day'
  | 'timezone'
  | { oneOf: readonly string[] }
  | { ref: ArchivedEntity }

/** Import order: referenced entities first. */
export const archivedEntities = [
  'journey',
  'moment',
  'reflection',
  'card',
  'voice',
  'echo',
  'logbook',
  'source',
] as const

export const archiveKeys = {
  journey: 'journeys',
  moment: 'moments',
  reflection: 'reflections',
  card: 'memoryCards',
  voice: 'voiceEntries',
  echo: 'echoes',
  logbook: 'logbook',
  source: 'sources',
} as const satisfies Record<ArchivedEntity, string>

export const archiveColumns: Record<ArchivedEntity, Record<string, ColumnKind>> = {
  journey: {
    title: { maxLength: 120 },
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
    title: { maxLength: 200 },
    body: 'text',
    mood_score: { from: -2, to: 2 },
    mood_label: { maxLength: 40 },
    place: { json: archivedLocation },
    weather: { json: archivedWeather },
    journey_id: { ref: 'journey' },
    prompt_id: 'text',
    pinned: 'boolean',
    ai_visible: 'boolean',
  },
  reflection: {
    agent_id: 'text',
    topic: { maxLength: 80 },
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
    topic: { maxLength: 80 },
    ai_visible: 'boolean',
    state: { oneOf: cardStates },
  },
  voice: {
    agent_id: 'text',
    label: { maxLength: 120 },
    belief: 'text',
    ai_visible: 'boolean',
    duration_ms: { from: 0, to: 2 ** 31 - 1 },
    transcript: 'text',
    transcript_status: { oneOf: transcriptStatuses },
    language: 'text',
    strength: { from: 1, to: 5 },
    still_true: { json: archivedAnswers, grows: true },
  },
  echo: {
    agent_id: 'text',
    message: 'text',
    sealed: 'boolean',
    trigger_at: 'time',
    trigger_conditions: { json: triggerConditions },
    trigger_timezone: 'timezone',
    armed_at: 'time',
    ready_at: 'time',
    ready_because: 'text',
    mailed_at: 'time',
    delivered_at: 'time',
  },
  logbook: {
    agent_id: 'text',
    entry: 'text',
    label: { maxLength: 120 },
    category: { maxLength: 80 },
    tags: { json: logbookEntry.shape.tags },
    occurred_on: 'day',
    pinned: 'boolean',
    ai_visible: 'boolean',
    moment_id: { ref: 'moment' },
    journey_id: { ref: 'journey' },
  },
  source: {
    kind: { oneOf: sourceKinds },
    title: { maxLength: maxSourceTitleLength },
    messages: { json: archivedMessages, grows: true },
    current_message_id: 'text',
    occurred_at: 'time',
    changed_at: 'time',
    keepable: 'boolean',
    ai_visible: 'boolean',
  },
}

export const nullableColumns = new Set(
  [
    'armed_at changed_at completed_at current_message_id delivered_at duration_ms ends_on journey_id language',
    'mailed_at moment_id mood_label mood_score place promoted_at prompt_id purpose ready_at ready_because',
    'reflection_agent_id reflection_created_at reflection_id rested_at started_on strength title topic transcript',
    'trigger_at trigger_conditions trigger_timezone weather',
  ].flatMap((names) => names.split(' ')),
)

export const textColumns: Record<ArchivedEntity, string> = {
  journey: 'purpose',
  moment: 'body',
  reflection: 'content',
  card: 'content',
  voice: 'belief',
  echo: 'message',
  logbook: 'entry',
  source: 'text',
}

export function toArchiveName(column: string): string {
  return column.replace(/_([a-z])/g, (_, char: string) => char.toUpperCase())
}

export const toLine = (value: unknown) => joinLines(String(value ?? ''), ' ')

export function formatFileLink({ file, alt, name, mime }: ArchivedMedia): string {
  const text = toLine(alt ?? name ?? 'file').replace(/[[\]]/g, '')
  return `${mime?.startsWith('image/') ? '!' : ''}[${text}](../${file})`
}

export async function createDayFormatter(services: Services, { owner_id }: Pick<KeeperRow, 'owner_id'>) {
  const timezone = await getPersonTimezone(services, owner_id)
  return (iso: unknown) => formatDay(iso, timezone)
}

/** Imported values may not be dates; they are returned as they are. */
export function formatDay(iso: unknown, timezone: string): string {
  const timestamp = Date.parse(String(iso))
  return Number.isNaN(timestamp) ? String(iso).slice(0, 10) : getLocalDay(timezone, timestamp)
}
