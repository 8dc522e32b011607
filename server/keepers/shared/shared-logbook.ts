import type { SharedLogbookEntry } from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireDomainTo } from '#server/domains/domain-access.ts'
import type { Services } from '#server/services.ts'
import { keeperNotFound } from '../keeper-access.ts'
import { keepersToRead } from './readable-shares.ts'
import { sharedLogbookView } from './shared-views.ts'

const mostShown = 1000

/**
 * The logbook of a keeper that was given with it: pinned ones first, then the newest by the day they are about.
 * @throws Problem 404 for a keeper whose logbook this person may not read
 */
export async function sharedLogbook(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
): Promise<SharedLogbookEntry[]> {
  await requireDomainTo(services, person, domainId, 'see')
  const readable = keepersToRead(services, person, domainId)
    .where('share.keeper_id', '=', keeperId)
    .where('share.with_logbook', '=', true)
    .select('share.keeper_id')
  if (!(await readable.executeTakeFirst())) throw keeperNotFound()
  const rows = await services.db
    .selectFrom('logbook_entries')
    .selectAll()
    .where('keeper_id', '=', keeperId)
    .where((where) => where.exists(readable))
    .where('deleted_at', 'is', null)
    .orderBy('pinned', 'desc')
    .orderBy('occurred_on', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostShown)
    .execute()
  return rows.map(sharedLogbookView)
}
