import type { Person } from '#server/accounts/person.ts'
import { readAudit } from '#server/audit/read-audit.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import type { Services } from '#server/services.ts'
import { showUser } from './show-user.ts'

const eventPageSize = 500

/** The account as a JSON file: details and all audit events, streamed page by page. @throws Problem 404 */
export async function exportUser(services: Services, person: Person, id: string): Promise<Response> {
  const { mayAct: _, lastSuperAdmin: __, ...account } = await showUser(services, person, id)
  await services.db.batch([insertAudit(services, { action: 'account-exported', actor: person, personId: id })])
  const exportedAt = services.now().toISOString()
  const head = { format: 'keeper-account', version: 1, exportedAt, account }
  const chunks = streamExport(services, id, `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "audit": [`)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
    },
    { highWaterMark: 1 },
  )
  return new Response(body, {
    headers: {
      ...securityHeaders,
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="keeper-account-${id}-${exportedAt.slice(0, 10)}.json"`,
      'cache-control': 'no-store',
      'transfer-encoding': 'chunked',
    },
  })
}

async function* streamExport(services: Services, userId: string, head: string): AsyncGenerator<string, undefined> {
  yield head
  let separator = '\n'
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = await readAudit(services, { userId }, { cursor, limit: eventPageSize })
    cursor = page.next_cursor
    yield page.items.map((event, index) => (index === 0 ? separator : ',\n') + JSON.stringify(event)).join('')
    separator = ',\n'
  }
  yield '\n]\n}\n'
}
