import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import { countAttempts } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'

const roundTripThrottle = { kind: 'uuid-test', limit: 30, windowMs: 60_000 }

export async function testRoundTrip(
  services: Services,
  person: Person,
  { testUUID, testString }: { testUUID: string; testString: string },
): Promise<{ testUUID: string; testString: string; ms: number }> {
  const { isWithinLimit, waitSeconds } = await countAttempts(services, roundTripThrottle, person.id)
  if (!isWithinLimit) {
    throw new Problem('too-many', {
      message: 'Too many attempts in a short time. Wait a minute.',
      retryAfterSeconds: waitSeconds,
    })
  }
  const { db } = services
  const startedAt = performance.now()
  const prefix = `uuid-test:${services.newId()}:`
  const row = { bucket: prefix + testUUID + testString, window_start: services.now().getTime(), count: 0 }
  const [, removed] = await db.batch([
    db.insertInto('throttle_windows').values(row),
    db.deleteFrom('throttle_windows').where('bucket', '=', row.bucket).returning('bucket'),
  ])
  const [removedRow] = (removed?.rows ?? []) as { bucket: string }[]
  const value = removedRow?.bucket.slice(prefix.length)
  if (value === undefined) throw new Error('the written value was not found')
  return {
    testUUID: value.slice(0, testUUID.length),
    testString: value.slice(testUUID.length),
    ms: Math.round(performance.now() - startedAt),
  }
}
