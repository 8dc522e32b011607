import type { Dashboard } from '#contract/keepers/dashboard.ts'
import { getLocalDay } from '#contract/keepers/local-time.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { listEchoes } from '../echoes/list-echoes.ts'
import { type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { listMoments } from '../moments/list-moments.ts'
import { listMomentsOnThisDay } from '../moments/moment-days.ts'
import { suggestReflections } from '../reflections/suggest-reflections.ts'
import { findVersion, toSoleVersion } from '../sole/sole-versions.ts'
import { countEntries } from './count-entries.ts'
import { getDayPrompt } from './day-prompt.ts'
import { listRecentEvents } from './recent-events.ts'
import { calculateStreak, getDayBefore } from './streak.ts'
import { loadWrittenDays } from './written-days.ts'

const stripLength = 42
const maxEvents = 12
const maxSuggestions = 20
const maxMomentsToday = 100

/** `date` and `timezone` are the reader's. @throws Problem 404 */
export async function showDashboard(
  services: Services,
  person: Person,
  keeperId: string,
  { date, timezone = 'UTC' }: { date?: string | undefined; timezone?: string | undefined },
): Promise<Dashboard> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const today = date ?? getLocalDay(timezone, services.now().getTime())
  const [counts, moments, onThisDay, days, echoes, suggestions, pendingSole, activeSole, recentEvents] =
    await Promise.all([
      countEntries(services, keeper),
      listMoments(services, person, keeper.id, { from: today, to: today, limit: maxMomentsToday }),
      listMomentsOnThisDay(services, person, keeper.id, today),
      loadWrittenDays(services, keeper, timezone),
      listEchoes(services, person, keeper.id),
      suggestReflections(services, person, keeper.id),
      loadSole(services, keeper, 'draft'),
      loadSole(services, keeper, 'active'),
      listRecentEvents(services, keeper, maxEvents),
    ])
  const dayByDate = new Map(days.map((day) => [day.date, day]))
  const stripDays = Array.from({ length: stripLength }, (_, index) => {
    const visibleDate = getDayBefore(today, stripLength - 1 - index)
    return dayByDate.get(visibleDate) ?? { date: visibleDate, count: 0, kept: false, mood: null }
  })
  return {
    counts,
    today: { date: today, ...getDayPrompt(today), moments: moments.items },
    onThisDay,
    streak: { ...calculateStreak(dayByDate.keys(), today), days: stripDays },
    echoesReady: echoes.data.filter(({ state }) => state === 'ready'),
    pendingSole: pendingSole,
    activeSole: activeSole,
    suggestions: suggestions.slice(0, maxSuggestions),
    recent: recentEvents,
  }
}

async function loadSole(services: Services, keeper: KeeperRow, status: 'draft' | 'active') {
  const row = await findVersion(services, keeper.id, status)
  return row ? toSoleVersion(services, row) : null
}
