import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { EntryRow } from '../entries/entry-tables.ts'
import { findEntryFor, requireEntryFor } from '../entries/require-entry.ts'

export type JourneyRow = EntryRow<'journey'>
export type PathRow = EntryRow<'path'>

/** An undeleted path of this person in an undeleted journey. @throws Problem 404 */
export async function requirePathFor(services: Services, person: Pick<Person, 'id'>, id: string): Promise<PathRow> {
  const row = await requireEntryFor(services, person, 'path', id)
  if (!(await findEntryFor(services, person, 'journey', row.journey_id)))
    throw new Problem('not-found', { message: 'Path not found' })
  return row
}

export function selectPaths({ db }: Pick<Services, 'db'>, journeyId: string) {
  return db.selectFrom('paths').selectAll('paths').where('journey_id', '=', journeyId).where('deleted_at', 'is', null)
}

export function listPathsOfJourney(services: Services, journeyId: string): Promise<PathRow[]> {
  return selectPaths(services, journeyId).orderBy('position').orderBy('created_at').orderBy('id').execute()
}
