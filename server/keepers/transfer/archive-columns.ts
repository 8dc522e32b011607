import * as z from 'zod/mini'
import { joinLines } from '#contract/join-lines.ts'
import { triggerConditions } from '#contract/keepers/echoes.ts'
import { formatWeather } from '#contract/keepers/format-weather.ts'
import { journeyStatuses, pigments } from '#contract/keepers/journeys.ts'
import { isTimeZone } from '#contract/keepers/keeper-fields.ts'
import { getLocalDay } from '#contract/keepers/local-time.ts'
import { logbookEntry } from '#contract/keepers/logbook.ts'
import { cardStates } from '#contract/keepers/memory-cards.ts'
import { type Moment, place, weather } from '#contract/keepers/moments.ts'
import { listBranch, selectMessages } from '#contract/keepers/source-tree.ts'
import {
  getSourceTitle,
  librarySourceKind,
  maxSourceMessages,
  maxSourceTitleLength,
  type SourceRole,
  type StoredSourceMessage,
  sourceAppNames,
  sourceKinds,
  storedSourceMessages,
} from '#contract/keepers/sources.ts'
import { transcriptStatuses } from '#contract/keepers/voice.ts'
import { displayLine } from '#contract/one-line-text.ts'
import type { Services } from '#server/services.ts'
import type { EntryEntity } from '../entries/entry-tables.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { getPersonTimezone } from '../person-timezone.ts'
import type { ArchivedEntry, ArchivedMedia } from './archive-format.ts'
import { loadVersions, type Origins, streamEntries } from './read-for-archive.ts'

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

export const nullableColumns = new Set([
  'armed_at',
  'changed_at',
  'current_message_id',
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
  'trigger_timezone',
  'ready_at',
  'ready_because',
  'mailed_at',
  'delivered_at',
])

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

type MarkdownEntry = Record<string, unknown> & ArchivedEntry
type EntryRenderer = (entry: MarkdownEntry, formatEntryDay: (iso: unknown) => string) => string[]

const toLine = (value: unknown) => joinLines(String(value ?? ''), ' ')
const formatList = (label: string, values: unknown) =>
  Array.isArray(values) && values.length > 0 ? `${label}: ${values.map(toLine).join(', ')}` : ''
const formatMedia = ({ media = [] }: MarkdownEntry) => media.map(formatFileLink)

export function formatFileLink({ file, alt, name, mime }: ArchivedMedia): string {
  const text = toLine(alt ?? name ?? 'file').replace(/[[\]]/g, '')
  return `${mime?.startsWith('image/') ? '!' : ''}[${text}](../${file})`
}

const entryRenderers: Record<ArchivedEntity, EntryRenderer> = {
  moment: (entry) => {
    const mood = entry.moodLabel ?? entry.moodScore
    const location = entry.place as { name: string } | null
    const weather = entry.weather as Moment['weather']
    const details = [
      `${toLine(entry.occurredAt)} (${toLine(entry.timezone)})`,
      mood === null ? '' : `mood: ${toLine(mood)}`,
      location ? `at ${toLine(location.name)}` : '',
      weather ? toLine(formatWeather(weather)) : '',
      entry.pinned ? 'kept' : '',
    ]
    return [
      `## ${toLine(entry.localDate)}${entry.title ? ` · ${toLine(entry.title)}` : ''}`,
      `_${details.filter(Boolean).join(' · ')}_`,
      String(entry.body),
      ...formatMedia(entry),
      formatList('Topics', entry.topics),
    ]
  },
  reflection: (entry, formatEntryDay) => [
    `## ${formatEntryDay(entry.createdAt)}${entry.topic ? ` · ${toLine(entry.topic)}` : ''}`,
    entry.promotedAt ? '_kept as a memory card_' : '',
    String(entry.content),
  ],
  card: (entry, formatEntryDay) => [
    `## ${formatEntryDay(entry.reflectionCreatedAt ?? entry.createdAt)}${entry.topic ? ` · ${toLine(entry.topic)}` : ''}`,
    entry.state === 'draft' ? '_not approved yet_' : '',
    String(entry.content),
  ],
  voice: (entry, formatEntryDay) => [
    `## ${toLine(entry.label)}`,
    String(entry.belief),
    entry.transcript ? `Transcript:\n\n> ${String(entry.transcript).replaceAll('\n', '\n> ')}` : '',
    ...formatMedia(entry),
    ...((entry.stillTrue as { answer: boolean; note: string | null; at: string }[]) ?? []).map(
      ({ answer, note, at: timestamp }) =>
        `- ${formatEntryDay(timestamp)}: ${answer ? 'still true' : 'no longer true'}${note ? `. ${toLine(note)}` : ''}`,
    ),
  ],
  echo: (entry, formatEntryDay) => [
    `## Echo of ${formatEntryDay(entry.createdAt)}`,
    entry.triggerAt ? `_comes back on ${formatDay(entry.triggerAt, getTriggerTimezone(entry))}_` : '',
    entry.deliveredAt ? `_delivered on ${formatEntryDay(entry.deliveredAt)}_` : '',
    entry.sealedMessage ? '_Sealed: its text is in keeper.json only._' : String(entry.message),
  ],
  logbook: (entry) => [
    `## ${toLine(entry.occurredOn)} · ${toLine(entry.label)}`,
    `_${toLine(entry.category)}_`,
    String(entry.entry),
    formatList('Tags', entry.tags),
  ],
  journey: (entry) => [
    `## ${toLine(entry.title)}`,
    `_${toLine(entry.status)}${entry.startedOn ? `, since ${toLine(entry.startedOn)}` : ''}_`,
    String(entry.purpose ?? ''),
    ...(entry.paths ?? []).flatMap((path) => [
      `### ${toLine(path.title)} (${path.state.replace('_', ' ')})`,
      path.waypoints
        .map(
          ({ title, note, doneAt }) => `- [${doneAt ? 'x' : ' '}] ${toLine(title)}${note ? `: ${toLine(note)}` : ''}`,
        )
        .join('\n'),
    ]),
  ],
  source: (entry, formatEntryDay) => [
    `## ${formatEntryDay(entry.occurredAt)} · ${toLine(getSourceTitle(entry as unknown as Parameters<typeof getSourceTitle>[0]))}`,
    entry.source && entry.source !== librarySourceKind
      ? `_${toLine(sourceAppNames[entry.source] ?? entry.source)}_`
      : '',
    ...formatMedia(entry),
    ...listShownMessages(entry).map(({ role, text }) =>
      role === 'document' ? text : `**${speakers[role]}:**\n\n${text}`,
    ),
  ],
}

const speakers: Record<SourceRole, string> = {
  person: 'You',
  assistant: 'AI',
  tool: 'Tool',
  system: 'Instructions',
  document: '',
}

/** The branch that the app showed. The others are in keeper.json. */
function listShownMessages({ messages, currentMessageId }: MarkdownEntry): StoredSourceMessage[] {
  const { selected, findNearest } = selectMessages(messages as StoredSourceMessage[], ({ hidden }) => !hidden)
  return listBranch(selected, findNearest(currentMessageId as string | null) ?? selected.at(-1)?.id ?? null)
}

const sectionTitles: Record<ArchivedEntity, string> = {
  moment: 'Moments',
  reflection: 'Reflections',
  card: 'Memory cards',
  voice: 'Voice',
  echo: 'Echoes',
  logbook: 'Logbook',
  journey: 'Journeys',
  source: 'Sources',
}

export async function createDayFormatter(services: Services, { owner_id }: Pick<KeeperRow, 'owner_id'>) {
  const timezone = await getPersonTimezone(services, owner_id)
  return (iso: unknown) => formatDay(iso, timezone)
}

/** Imported values may not be dates; they are returned as they are. */
function formatDay(iso: unknown, timezone: string): string {
  const timestamp = Date.parse(String(iso))
  return Number.isNaN(timestamp) ? String(iso).slice(0, 10) : getLocalDay(timezone, timestamp)
}

function getTriggerTimezone({ triggerTimezone: timezone }: MarkdownEntry): string {
  return typeof timezone === 'string' && isTimeZone(timezone) ? timezone : 'UTC'
}

export async function* streamMarkdown(
  services: Services,
  keeper: KeeperRow,
  entity: ArchivedEntity,
  origins: Origins,
): AsyncGenerator<string> {
  const formatEntryDay = await createDayFormatter(services, keeper)
  yield `# ${toLine(keeper.title)}: ${sectionTitles[entity]}\n`
  for await (const entry of streamEntries(services, keeper, entity, origins)) {
    const blocks = entryRenderers[entity](entry as MarkdownEntry, formatEntryDay).filter((block) => block !== '')
    yield `\n${blocks.join('\n\n')}\n`
  }
}

export async function renderSoleMarkdown(services: Services, keeper: KeeperRow, origins: Origins): Promise<string> {
  const [versions, formatEntryDay] = await Promise.all([
    loadVersions(services, keeper, origins),
    createDayFormatter(services, keeper),
  ])
  const sections = versions.toReversed().map((version) => {
    const decisionText = version.decidedAt ? `, decided on ${formatEntryDay(version.decidedAt)}` : ''
    const heading = `## Version ${version.version} (${version.status}), by ${toLine(version.authorName)}${decisionText}`
    const statements = version.statements.map(({ text, sources }) =>
      [`- ${toLine(text)}`, ...sources.map(({ quote }) => `  > ${toLine(quote)}`)].join('\n'),
    )
    return [
      heading,
      ...(statements.length > 0 ? statements : [version.content]),
      version.reason ? `Reason: ${toLine(version.reason)}` : '',
    ]
      .filter(Boolean)
      .join('\n\n')
  })
  return [`# ${toLine(keeper.title)}: SOLE`, ...sections].join('\n\n').concat('\n')
}
