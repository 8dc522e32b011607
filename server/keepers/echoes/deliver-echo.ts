import type { Echo } from '#contract/keepers/echoes.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { echoView } from './echo-view.ts'
import { noticeTime } from './notice-time.ts'

/** Delivers a ready echo, exactly once whoever else asks. @throws Problem 409 for one that is not ready, or delivered */
export async function deliverEcho(services: Services, person: Person, id: string): Promise<Echo> {
  const { keeper_id } = await requireEntryFor(services, person, 'echo', id)
  await noticeTime(services, keeper_id)
  const now = services.now().getTime()
  const row = await saveEntry(services, person, {
    entity: 'echo',
    id,
    ifMatch: null,
    changes(present) {
      const { state } = echoView(present, now)
      if (state === 'delivered')
        throw new Problem('conflict', { message: 'This echo is delivered already. It can be delivered once.' })
      if (state === 'pending')
        throw new Problem('conflict', {
          message: 'This echo is not ready yet. It can be delivered when its day or one of its conditions has come.',
        })
      return { delivered_at: now, ready_at: present.ready_at ?? present.trigger_at }
    },
    view: (present) => ({ ...echoView(present, now) }),
  })
  return echoView(row, now)
}
