import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { EntryRow } from '../entries/entry-tables.ts'
import { requireEntryFor } from '../entries/require-entry.ts'

export type TopicRow = EntryRow<'topic'>

/** An undeleted, unmerged topic of this person. @throws Problem 404 */
export async function requireTopicFor(services: Services, person: Pick<Person, 'id'>, id: string): Promise<TopicRow> {
  return requireUnmerged(await requireEntryFor(services, person, 'topic', id))
}

/** @throws Problem 404 for a merged topic */
export function requireUnmerged(row: TopicRow): TopicRow {
  if (row.merged_into !== null) throw new Problem('not-found', { message: 'Topic not found' })
  return row
}
