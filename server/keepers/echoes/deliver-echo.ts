import type { Echo } from '#contract/keepers/echoes.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { checkTimeTriggers } from './check-time-triggers.ts'
import { toEcho } from './echo-view.ts'

/** Atomic for concurrent requests. @throws Problem 409 for an echo that is not ready or was delivered */
export async function deliverEcho(services: Services, person: Person, id: string): Promise<Echo> {
  const { keeper_id } = await requireEntryFor(services, person, 'echo', id)
  await checkTimeTriggers(services, keeper_id)
  const now = services.now().getTime()
  const row = await saveEntry(services, person, {
    entity: 'echo',
    id,
    ifMatch: null,
    changes(current) {
      const { state } = toEcho(current, now)
      if (state === 'delivered')
        throw new Problem('conflict', {
          message: 'This echo has already been delivered. Each echo is delivered only once.',
        })
      if (state === 'pending')
        throw new Problem('conflict', {
          message: 'This echo isn’t ready yet. You can deliver it once its date or one of its conditions is met.',
        })
      return { delivered_at: now, ready_at: current.ready_at ?? current.trigger_at }
    },
    view: (current) => ({ ...toEcho(current, now) }),
  })
  return toEcho(row, now)
}
