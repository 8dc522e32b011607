import { defaultAgentId } from '#contract/keepers/keeper-fields.ts'
import { type LogbookEntry, logbook } from '#contract/keepers/logbook.ts'
import type { EntryKind } from '../entries/use-entry-list.ts'

export const logbookKind: EntryKind<LogbookEntry> = {
  entity: 'logbook',
  label: 'Logbook entry',
  endpoints: logbook,
  errorTitles: {
    fetch: 'Failed to fetch logbook entries',
    create: 'Failed to create logbook entry',
    update: 'Failed to update logbook entry',
    delete: 'Failed to delete logbook entry',
  },
  textFields: ['label', 'category', 'tags', 'entry'],
  createEmpty: (id, keeperId, at) => ({
    id,
    keeperId,
    createdAt: at,
    updatedAt: at,
    rev: 1,
    agentId: defaultAgentId,
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

export interface LogbookYear {
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
