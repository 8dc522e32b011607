import { sql } from 'kysely'
import type { Invitation } from '#contract/domains/invitations.ts'
import type { Person } from '#server/accounts/person.ts'
import { parseCursor, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireDomainTo } from '../domain-access.ts'
import { selectInvitations, toInvitation } from './invitation-view.ts'

/** Open invitations first, then by time sent, latest first. @throws Problem 400 for an invalid cursor */
export async function listInvitations(
  services: Services,
  person: Person,
  domainId: string,
  cursor?: string,
): Promise<Reply<Invitation[]>> {
  await requireDomainTo(services, person, domainId, 'manageMembers')
  const now = services.now().getTime()
  const isWaiting = sql<number>`case when invitations.accepted_at is null and invitations.revoked_at is null
    and invitations.expires_at > ${now} then 1 else 0 end`
  const { rows, next_cursor } = await readPage(
    selectInvitations(services).select(isWaiting.as('waits')).where('invitations.domain_id', '=', domainId),
    {
      order: [
        [isWaiting, 'desc'],
        [sql.ref('invitations.sent_at'), 'desc'],
        [sql.ref('invitations.id'), 'asc'],
      ],
      after: parseCursor(cursor, [0, 0, '']),
      getPosition: (row) => [row.waits, row.sent_at, row.id],
    },
  )
  return new Reply(
    rows.map((row) => toInvitation(services, row)),
    { extra: { next_cursor } },
  )
}
