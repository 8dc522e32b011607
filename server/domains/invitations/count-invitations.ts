import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import { countAttempts, readAttempts } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'

const dailyThrottle = { kind: 'invitations', limit: 200, windowMs: dayMs }

/** Counts against a person's daily limit. @throws Problem `too-many`, without counting any */
export async function countInvitations(services: Services, person: Pick<Person, 'id'>, count: number): Promise<void> {
  const { count: usedCount, waitSeconds } = await readAttempts(services, dailyThrottle, person.id)
  const remaining = Math.max(0, dailyThrottle.limit - usedCount)
  const isWithinLimit =
    count <= remaining && (await countAttempts(services, dailyThrottle, person.id, count)).isWithinLimit
  if (isWithinLimit) return
  throw new Problem('too-many', {
    message: `You can invite or add ${dailyThrottle.limit} people a day, and you have ${remaining} left today.`,
    retryAfterSeconds: waitSeconds,
  })
}
