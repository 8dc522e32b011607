import type { Person } from '#server/accounts/person.ts'
import { readAudit } from '#server/audit/read-audit.ts'
import { auditing } from '#server/audit/write-audit.ts'
import type { Services } from '#server/services.ts'
import { showUser } from './show-user.ts'

/** The account as a JSON file: its details and the latest of its audit events. @throws Problem 404 */
export async function exportUser(services: Services, person: Person, id: string): Promise<Response> {
  const { mayAct: _, lastSuperAdmin: __, ...account } = await showUser(services, person, id)
  await services.db.batch([auditing(services, { action: 'account-exported', actor: person, personId: id })])
  const audit = await readAudit(services, { userId: id }, { limit: mostEvents })
  const exportedAt = services.now().toISOString()
  const file = { format: 'keeper-account', version: 1, exportedAt, account, audit: audit.items }
  return new Response(JSON.stringify(file, null, 2), {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="keeper-account-${id}-${exportedAt.slice(0, 10)}.json"`,
      'cache-control': 'no-store',
    },
  })
}

const mostEvents = 10_000
