import { sql } from 'kysely'
import { diagnostics, type Readiness } from '#contract/diagnostics/diagnostics.ts'
import { Reply, type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'

const statusOf = (reasons: string[]): Readiness => (reasons.length === 0 ? 'ok' : 'unavailable')

export function diagnosticsRoutes(services: Services): ServedCall[] {
  return serveArea('diagnostics', diagnostics, {
    ping: () => ({ status: 'ok' as const }),
    health: async () => {
      const reasons = await unreadiness(services)
      return new Reply({ status: statusOf(reasons), reasons }, { status: reasons.length === 0 ? 200 : 503 })
    },
    facts: async () => {
      const reasons = await unreadiness(services)
      return { status: statusOf(reasons), reasons }
    },
    platformStatus: async () => ({ status: statusOf(await unreadiness(services)) }),
    formDebug: ({ person, requestId }) => {
      services.log.debug({ requestId, personId: person.id }, 'a form was sent')
      return {}
    },
  })
}

async function unreadiness(services: Services): Promise<string[]> {
  try {
    await services.db.selectFrom('people').select(sql<number>`1`.as('one')).limit(1).execute()
    return []
  } catch (error) {
    services.log.error({ err: error }, 'the database does not answer')
    return ['The database does not answer.']
  }
}
