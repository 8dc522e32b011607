import type { Person } from '#server/accounts/person.ts'
import { placeIn } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { beadsOf, journeyView } from './journey-view.ts'
import { readPaths } from './list-paths.ts'

/** With a page of its timeline. @throws Problem 404; 400 for an invalid cursor */
export async function showJourney(services: Services, person: Person, id: string, cursor?: string) {
  const row = await requireEntryFor(services, person, 'journey', id)
  const after = placeIn(cursor, [0, ''])
  const [view, { paths, next_cursor: paths_cursor }, { beads, next_cursor }] = await Promise.all([
    journeyView(services, row),
    readPaths(services, id),
    beadsOf(services, id, after),
  ])
  return new Reply({ ...view, paths, paths_cursor, beads }, { extra: { next_cursor } })
}
