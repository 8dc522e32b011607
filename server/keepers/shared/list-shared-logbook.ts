import type { SharedLogbookEntry } from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireDomainTo } from '#server/domains/domain-access.ts'
import { selectReadableKeepers } from '#server/domains/readable-shares.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { createKeeperNotFound } from '../keeper-access.ts'
import { readLogbookPage } from '../logbook/list-logbook.ts'
import { toSharedLogbookEntry } from './shared-views.ts'

/** A page of a shared logbook. @throws Problem 404; 400 for an invalid cursor */
export async function listSharedLogbook(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
  cursor?: string,
): Promise<Reply<SharedLogbookEntry[]>> {
  await requireDomainTo(services, person, domainId, 'see')
  const readableKeeper = selectReadableKeepers(services, person, domainId)
    .where('share.keeper_id', '=', keeperId)
    .where('share.with_logbook', '=', true)
    .select('share.keeper_id')
  if (!(await readableKeeper.executeTakeFirst())) throw createKeeperNotFound()
  const entries = services.db
    .selectFrom('logbook_entries')
    .selectAll()
    .where('keeper_id', '=', keeperId)
    .where((where) => where.exists(readableKeeper))
    .where('deleted_at', 'is', null)
  const { rows, next_cursor } = await readLogbookPage(services, entries, cursor)
  return new Reply(rows.map(toSharedLogbookEntry), { extra: { next_cursor } })
}
