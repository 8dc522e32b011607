import type { LogbookEntry } from '#contract/keepers/logbook.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { logbookView } from './logbook-view.ts'

const mostShown = 1000

/** Pinned ones first, then the newest by the day they are about. */
export async function listLogbook(services: Services, person: Person, keeperId: string): Promise<LogbookEntry[]> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const rows = await living(services, keeper.id)
    .selectAll()
    .orderBy('pinned', 'desc')
    .orderBy('occurred_on', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostShown)
    .execute()
  return rows.map(logbookView)
}

export async function listCategories(services: Services, person: Person, keeperId: string): Promise<string[]> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const rows = await living(services, keeper.id).select('category').distinct().execute()
  return rows.map(({ category }) => category).sort(alphabetical)
}

export async function listTags(services: Services, person: Person, keeperId: string): Promise<string[]> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const rows = await living(services, keeper.id).select('tags').execute()
  return [...new Set(rows.flatMap(({ tags }) => tags))].sort(alphabetical)
}

const living = ({ db }: Services, keeperId: string) =>
  db.selectFrom('logbook_entries').where('keeper_id', '=', keeperId).where('deleted_at', 'is', null)

/** As people read it, the same on every machine. */
const alphabetical = new Intl.Collator('en').compare
