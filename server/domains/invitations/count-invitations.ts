import type { Person } from '#server/accounts/person.ts'
import { dayMs } from '#server/hours-and-days.ts'
import { Problem } from '#server/http/problem.ts'
import { countTry, triesSoFar } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'

const perDay = { kind: 'invitations', limit: 200, windowMs: dayMs }

/** Counts against a person's daily limit. @throws Problem `too-many`, without counting any */
export async function countInvitations(services: Services, person: Pick<Person, 'id'>, times: number): Promise<void> {
  const { count, waitSeconds } = await triesSoFar(services, perDay, person.id)
  const left = Math.max(0, perDay.limit - count)
  const fits = times <= left && (await countTry(services, perDay, person.id, times)).within
  if (fits) return
  throw new Problem('too-many', {
    message: `You can invite and add ${perDay.limit} people a day. You have ${left} left today.`,
    retryAfterSeconds: waitSeconds,
  })
}
