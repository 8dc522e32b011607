import { diagnostics, type Readiness, type Repair } from '#contract/diagnostics/diagnostics.ts'
import { Reply, type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { fixDatabase, showDatabase, testRoundTrip } from './database.ts'
import { fixKipProvider } from './fix-kip-provider.ts'
import { listReadinessFailures } from './readiness-failures.ts'
import { showBackups } from './show-backups.ts'
import { sendTestEmail, showEmailState } from './test-email.ts'
import { testModelProvider } from './test-model-provider.ts'

const toReadiness = (reasons: string[]): Readiness => (reasons.length === 0 ? 'ok' : 'unavailable')

export function diagnosticsRoutes(services: Services): ServedCall[] {
  const checkReadiness = async () => {
    const reasons = await listReadinessFailures(services)
    return { status: toReadiness(reasons), reasons }
  }
  return serveArea('diagnostics', diagnostics, {
    ping: () => ({ status: 'ok' as const }),
    health: async () => {
      const result = await checkReadiness()
      return new Reply(result, { status: result.status === 'ok' ? 200 : 503 })
    },
    facts: async ({ person }) => {
      const result = await checkReadiness()
      if (!person) return result
      const uptime = Math.round(process.uptime())
      const time = services.now().toISOString()
      return { ...result, server: { engine: services.db.engine, uptime_seconds: uptime, time } }
    },
    platformStatus: async () => ({ status: (await checkReadiness()).status }),
    test: () => ({ message: 'The API answers.', time: services.now().toISOString() }),
    database: ({ person }) => showDatabase(services, person),
    backups: () => showBackups(services),
    email: ({ person }) => showEmailState(services, person),
    testEmail: ({ person }) => sendTestEmail(services, person),
    uuidTest: ({ person, body }) => testRoundTrip(services, person, body),
    modelProviderTest: async ({ person, body }) => {
      const { error, ...result } = await testModelProvider(services, person, body)
      return new Reply(result, { extra: result.works ? {} : { success: false, error } })
    },
    fixDatabase: async ({ person }) => toRepairReply(await fixDatabase(services, person)),
    fixKipProvider: async ({ person }) => toRepairReply(await fixKipProvider(services, person)),
    formDebug: ({ person, requestId }) => {
      services.log.info({ requestId, personId: person.id }, 'a form was sent')
    },
  })
}

function toRepairReply(repair: Repair): Reply<Repair> {
  const [firstError] = repair.errors
  return new Reply(repair, { extra: firstError ? { success: false, error: firstError.error } : {} })
}
