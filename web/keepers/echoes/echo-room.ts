import { type Echo, echoes, type TriggerConditions } from '#contract/keepers/echoes.ts'
import { defaultAgentId } from '#contract/keepers/keeper-words.ts'
import { formatTime } from '#web/ui/format-time.ts'
import type { Room } from '../rooms/room.ts'
import { sampleEchoes } from '../samples/sample-echoes.ts'

const rank = { ready: 0, pending: 1, delivered: 2 }

export const echoRoom: Room<Echo> = {
  entity: 'echo',
  what: 'Echo',
  calls: echoes,
  failures: {
    fetch: 'Failed to fetch echoes',
    create: 'Failed to create echo',
    update: 'Failed to update echo',
    delete: 'Failed to delete echo',
  },
  fresh: (id, keeperId, at) => ({
    id,
    keeperId,
    createdAt: at,
    updatedAt: at,
    rev: 1,
    agentId: defaultAgentId,
    message: '',
    sealed: false,
    triggerDate: null,
    triggerConditions: null,
    state: 'pending',
    delivered: false,
    deliveredAt: null,
    readyAt: null,
    readyBecause: null,
  }),
  // A sealed one is closed to this page too, from the moment it is written.
  with(entry, body) {
    const next = { ...entry, ...body, id: entry.id } as Echo
    const date = next.triggerDate && new Date(next.triggerDate)
    const isDue = Boolean(date && date.getTime() <= Date.now())
    const state = next.state === 'delivered' ? 'delivered' : isDue ? 'ready' : 'pending'
    return {
      ...next,
      state,
      message: next.sealed ? '' : next.message,
      triggerDate: date ? date.toISOString() : null,
      readyAt: isDue && date ? date.toISOString() : null,
      readyBecause: isDue ? 'Its day has come.' : null,
    }
  },
  samples: sampleEchoes,
  sorted: (entries) =>
    entries.toSorted(
      (a, b) =>
        rank[a.state] - rank[b.state] ||
        (b.deliveredAt ?? '').localeCompare(a.deliveredAt ?? '') ||
        (a.triggerDate ?? '~').localeCompare(b.triggerDate ?? '~') ||
        b.createdAt.localeCompare(a.createdAt),
    ),
}

/** `on Dec 24, 2026`: a day is a day in UTC, and is shown as that day everywhere. */
export function dayOf(instant: string): string {
  const atMidnight = instant.endsWith('T00:00:00.000Z')
  return atMidnight ? formatTime(`${instant.slice(0, 10)}T12:00:00`) : formatTime(instant, 'date-time')
}

/** `when father is said again, or after 30 days without a word`; '' when it waits for nothing. */
export function comesBack(
  date: string | null,
  conditions: TriggerConditions | null,
  journeyName: (id: string) => string | undefined,
): string {
  const { topic, journeyId, silentDays, anniversary } = conditions ?? {}
  const ways = [
    date && `on ${dayOf(date)}`,
    topic && `when “${topic}” is said again`,
    journeyId && `when ${journeyName(journeyId) ?? 'its journey'} is completed`,
    silentDays && `after ${silentDays} ${silentDays === 1 ? 'day' : 'days'} without a moment or a reflection`,
    anniversary && `on the next ${monthAndDay(anniversary)}`,
  ]
  return ways.filter(Boolean).join(', or ')
}

const monthAndDay = (text: string) =>
  new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' }).format(
    new Date(`2028-${text}T00:00:00Z`),
  )
