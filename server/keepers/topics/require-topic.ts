import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { EntryRow } from '../entries/entry-tables.ts'
import { requireEntryFor } from '../entries/require-entry.ts'

export type TopicRow = EntryRow<'topic'>

/**
 * A topic of this person that is neither in the bin nor part of another one.
 * @throws Problem 404
 */
export async function requireTopicFor(services: Services, person: Pick<Person, 'id'>, id: string): Promise<TopicRow> {
  return unmerged(await requireEntryFor(services, person, 'topic', id))
}

/** @throws Problem 404 when it became part of another one */
export function unmerged(row: TopicRow): TopicRow {
  if (row.merged_into !== null) throw new Problem('not-found', { message: 'Topic not found' })
  return row
}
