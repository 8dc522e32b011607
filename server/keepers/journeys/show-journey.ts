import type { Person } from '#server/accounts/person.ts'
import { parseCursor } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { loadTimelinePage, toJourney } from './journey-view.ts'
import { loadPathsPage } from './list-paths.ts'

/** With a page of its timeline. @throws Problem 404; 400 for an invalid cursor */
export async function showJourney(services: Services, person: Person, id: string, cursor?: string) {
  const row = await requireEntryFor(services, person, 'journey', id)
  const cursorPosition = parseCursor(cursor, [0, ''])
  const [view, { paths, next_cursor: paths_cursor }, { items, next_cursor }] = await Promise.all([
    toJourney(services, row),
    loadPathsPage(services, id),
    loadTimelinePage(services, id, cursorPosition),
  ])
  return new Reply({ ...view, paths, paths_cursor, beads: items }, { extra: { next_cursor } })
}
