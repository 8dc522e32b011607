import type { Dashboard } from '#contract/keepers/dashboard.ts'
import { dayIn } from '#contract/keepers/lived-time.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { listEchoes } from '../echoes/list-echoes.ts'
import { type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { listMoments } from '../moments/list-moments.ts'
import { momentsOnThisDay } from '../moments/moment-days.ts'
import { suggestReflections } from '../reflections/suggest-reflections.ts'
import { findVersion, versionView } from '../sole/sole-versions.ts'
import { countEntries } from './count-entries.ts'
import { promptOf } from './day-prompt.ts'
import { recentEvents } from './recent-events.ts'
import { dayBefore, streakOf } from './streak.ts'
import { writtenDays } from './written-days.ts'

const shownDays = 42
const mostEvents = 12
const mostSuggestions = 20
const mostMomentsOfToday = 100

/** `date` and `timezone` are the reader's. @throws Problem 404 */
export async function showDashboard(
  services: Services,
  person: Person,
  keeperId: string,
  { date, timezone = 'UTC' }: { date?: string | undefined; timezone?: string | undefined },
): Promise<Dashboard> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const today = date ?? dayIn(timezone, services.now().getTime())
  const [counts, moments, onThisDay, days, echoes, suggestions, pending, active, recent] = await Promise.all([
    countEntries(services, keeper),
    listMoments(services, person, keeper.id, { from: today, to: today, limit: mostMomentsOfToday }),
    momentsOnThisDay(services, person, keeper.id, today),
    writtenDays(services, keeper, timezone),
    listEchoes(services, person, keeper.id),
    suggestReflections(services, person, keeper.id),
    soleOf(services, keeper, 'draft'),
    soleOf(services, keeper, 'active'),
    recentEvents(services, keeper, mostEvents),
  ])
  const written = new Map(days.map((day) => [day.date, day]))
  const strip = Array.from({ length: shownDays }, (_, at) => {
    const shown = dayBefore(today, shownDays - 1 - at)
    return written.get(shown) ?? { date: shown, count: 0, kept: false, mood: null }
  })
  return {
    counts,
    today: { date: today, ...promptOf(today), moments: moments.items },
    onThisDay,
    streak: { ...streakOf(written.keys(), today), days: strip },
    echoesReady: echoes.data.filter(({ state }) => state === 'ready'),
    pendingSole: pending,
    activeSole: active,
    suggestions: suggestions.slice(0, mostSuggestions),
    recent,
  }
}

async function soleOf(services: Services, keeper: KeeperRow, status: 'draft' | 'active') {
  const row = await findVersion(services, keeper.id, status)
  return row ? versionView(services, row) : null
}
