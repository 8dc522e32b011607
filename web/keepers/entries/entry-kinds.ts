import { type Echo, echoes } from '#contract/keepers/echoes.ts'
import { defaultAgentId, type Entity } from '#contract/keepers/keeper-fields.ts'
import { type LogbookEntry, logbook } from '#contract/keepers/logbook.ts'
import { type VoiceEntry, voice } from '#contract/keepers/voice.ts'
import type { AnyEndpoint } from '#web/api/api-types.ts'
import { formatTime } from '#web/ui/text/format-time.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'

export interface BaseEntry {
  id: string
  keeperId: string
  createdAt: string
  updatedAt: string
  rev: number
}

type EntryFields = Record<string, unknown>
/** A kind of entry with its endpoints and texts: voice entries, echoes, logbook entries. */
export interface EntryKind<Entry extends BaseEntry> {
  entity: Entity
  label: string
  endpoints: Record<'list' | 'create' | 'update' | 'remove', AnyEndpoint>
  errorTitles: Record<'fetch' | 'create' | 'update' | 'delete', string>
  /** Fields with user text, shown in the history and restored from it. */
  textFields: readonly string[]
  /** Predicts the entry that the server will return. */
  createEmpty(id: string, keeperId: string, at: string): Entry
  applyChanges(entry: Entry, body: EntryFields): Entry
  sort(entries: Entry[]): Entry[]
}

const createErrorTitles = (singular: string, plural: string) => ({
  fetch: `Failed to fetch ${plural}`,
  create: `Failed to create ${singular}`,
  update: `Failed to update ${singular}`,
  delete: `Failed to delete ${singular}`,
})

const createBase = (id: string, keeperId: string, at: string) => ({
  id,
  keeperId,
  createdAt: at,
  updatedAt: at,
  rev: 1,
  agentId: defaultAgentId,
})

export const voiceKind: EntryKind<VoiceEntry> = {
  entity: 'voice',
  label: 'Voice entry',
  endpoints: voice,
  errorTitles: createErrorTitles('voice entry', 'voice entries'),
  textFields: ['label', 'belief'],
  createEmpty: (id, keeperId, at) => ({
    ...createBase(id, keeperId, at),
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

const afterEveryDate = '~'
const stateRank = { ready: 0, pending: 1, delivered: 2 }

export const echoKind: EntryKind<Echo> = {
  entity: 'echo',
  label: 'Echo',
  endpoints: echoes,
  errorTitles: createErrorTitles('echo', 'echoes'),
  textFields: ['message'],
  createEmpty: (id, keeperId, at) => ({
    ...createBase(id, keeperId, at),
    message: '',
    sealed: false,
    triggerDate: null,
    triggerConditions: null,
    triggerTimezone: null,
    state: 'pending',
    delivered: false,
    deliveredAt: null,
    readyAt: null,
    readyBecause: null,
  }),
  // A sealed echo hides its text from this page as soon as it is written.
  applyChanges(entry, body) {
    const updatedEcho = { ...entry, ...body, id: entry.id } as Echo
    const date = updatedEcho.triggerDate && parseTriggerDate(updatedEcho.triggerDate)
    const isDue = Boolean(date && date.getTime() <= Date.now())
    const undeliveredState = isDue ? 'ready' : 'pending'
    const state = updatedEcho.state === 'delivered' ? 'delivered' : undeliveredState
    return {
      ...updatedEcho,
      state,
      message: updatedEcho.sealed ? '' : updatedEcho.message,
      triggerDate: date ? date.toISOString() : null,
      readyAt: isDue && date ? date.toISOString() : null,
      readyBecause: isDue && date ? `Due since ${formatTime(date.toISOString())}.` : null,
    }
  },
  sort: (entries) =>
    entries.toSorted(
      (a, b) =>
        stateRank[a.state] - stateRank[b.state] ||
        (b.deliveredAt ?? '').localeCompare(a.deliveredAt ?? '') ||
        (a.triggerDate ?? afterEveryDate).localeCompare(b.triggerDate ?? afterEveryDate) ||
        b.createdAt.localeCompare(a.createdAt),
    ),
}

// A date queued in this browser is a local day; a date from the server is an instant.
const parseTriggerDate = (date: string) => new Date(date.length === 10 ? `${date}T00:00` : date)

/** The local date (`2026-12-24`) and time (`15:00`) of an instant. */
export function getLocalClock(instant: string, timezone: string | null): { day: string; time: string } {
  // Swedish dates have the form `2026-12-24 15:00`.
  const dateTime = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone ?? 'UTC',
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(new Date(instant))
  return { day: dateTime.slice(0, 10), time: dateTime.slice(11) }
}

/** `Dec 24, 2026` in the time zone where the day was chosen, so that it reads the same everywhere. */
export function formatTriggerDay(instant: string, timezone: string | null): string {
  const { day, time } = getLocalClock(instant, timezone)
  return time === '00:00' ? formatTime(`${day}T12:00:00`) : formatTime(instant, 'date-time')
}

/** `when “father” comes up again, or after 30 days without a moment or a reflection`; '' without triggers. */
export function describeTriggers(
  {
    triggerDate,
    triggerConditions,
    triggerTimezone,
  }: Pick<Echo, 'triggerDate' | 'triggerConditions' | 'triggerTimezone'>,
  getJourneyName: (id: string) => string | undefined,
): string {
  const { topic, journeyId, silentDays, anniversary } = triggerConditions ?? {}
  const triggerTexts = [
    triggerDate && `on ${formatTriggerDay(triggerDate, triggerTimezone)}`,
    topic && `when “${topic}” comes up again`,
    journeyId && `when ${getJourneyName(journeyId) ?? 'its journey'} is completed`,
    silentDays && `after ${pluralize(silentDays, 'day')} without a moment or a reflection`,
    anniversary && `on the next ${formatMonthAndDay(anniversary)}`,
  ]
  return triggerTexts.filter(Boolean).join(', or ')
}

const leapYear = 2028
const formatMonthAndDay = (text: string) =>
  new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${leapYear}-${text}T00:00:00Z`),
  )

export const logbookKind: EntryKind<LogbookEntry> = {
  entity: 'logbook',
  label: 'Logbook entry',
  endpoints: logbook,
  errorTitles: createErrorTitles('logbook entry', 'logbook entries'),
  textFields: ['label', 'category', 'tags', 'entry'],
  createEmpty: (id, keeperId, at) => ({
    ...createBase(id, keeperId, at),
    entry: '',
    label: '',
    category: '',
    tags: [],
    occurredOn: at.slice(0, 10),
    pinned: false,
    aiVisible: true,
    momentId: null,
    journeyId: null,
  }),
  applyChanges: (entry, body) => ({ ...entry, ...body, id: entry.id }),
  sort: (entries) =>
    entries.toSorted(
      (a, b) =>
        Number(b.pinned) - Number(a.pinned) ||
        b.occurredOn.localeCompare(a.occurredOn) ||
        b.createdAt.localeCompare(a.createdAt),
    ),
}

const compareAlphabetically = new Intl.Collator('en').compare

export const listCategories = (entries: readonly Pick<LogbookEntry, 'category'>[]): string[] =>
  [...new Set(entries.map(({ category }) => category))].sort(compareAlphabetically)

export const listTags = (entries: readonly LogbookEntry[]): string[] =>
  [...new Set(entries.flatMap(({ tags }) => tags))].sort(compareAlphabetically)

export type DatedEntry = Pick<LogbookEntry, 'id' | 'entry' | 'label' | 'category' | 'occurredOn'>

interface LogbookYear {
  year: string
  categories: { category: string; entries: DatedEntry[] }[]
}

/** Newest year first, categories alphabetically, entries by day. */
export function groupByYear(entries: readonly DatedEntry[]): LogbookYear[] {
  const years = Map.groupBy(entries, ({ occurredOn }) => occurredOn.slice(0, 4))
  return [...years]
    .sort(([a], [b]) => b.localeCompare(a))
    .map(([year, yearEntries]) => ({
      year,
      categories: listCategories(yearEntries).map((category) => ({
        category,
        entries: yearEntries
          .filter((entry) => entry.category === category)
          .sort((a, b) => a.occurredOn.localeCompare(b.occurredOn)),
      })),
    }))
}
