import type { Dashboard } from '#contract/keepers/dashboard.ts'
import { addDays } from '#web/ui/days.ts'
import { demoJourneys } from './demo-journeys.ts'
import { getDemoCalendar, getDemoMoments, getDemoOnThisDay } from './demo-moments.ts'

/** Days without an entry, counted back from today. */
const missedDaysAgo = new Set([7, 16, 30, 31, 38])

/** The dashboard of a demo keeper; its moments always lie in the last few days. */
export function createDemoDashboard(keeperId: string, date: string): Dashboard {
  const writtenDays = new Map(getDemoCalendar(keeperId, '0000-01-01', date).map((day) => [day.date, day]))
  const pinnedDays = new Set(getDemoMoments(keeperId).flatMap(({ pinned, localDate }) => (pinned ? [localDate] : [])))
  const days = Array.from({ length: 42 }, (_, index) => {
    const daysAgo = 41 - index
    const day = addDays(date, -daysAgo)
    const count = writtenDays.get(day)?.count ?? (missedDaysAgo.has(daysAgo) ? 0 : 1)
    return { date: day, count, kept: pinnedDays.has(day), mood: writtenDays.get(day)?.mood ?? null }
  })
  return {
    counts: {
      moments: getDemoMoments(keeperId).length,
      journeys: demoJourneys.length,
      paths: demoJourneys.reduce((total, journey) => total + journey._count.Path, 0),
      reflections: 5,
      cards: 0,
      cardsEmbedded: 0,
      voice: 0,
      echoesReady: 0,
      logbook: 0,
      topics: 0,
      sources: 0,
    },
    today: {
      date,
      promptId: 'worth-keeping',
      prompt: 'What is worth keeping from today?',
      moments: getDemoMoments(keeperId, { from: date, to: date }),
    },
    onThisDay: getDemoOnThisDay(keeperId, date),
    streak: { current: 15, longest: 31, graceUsed: true, days },
    echoesReady: [],
    pendingSole: null,
    activeSole: null,
    suggestions: [],
    recent: [],
  }
}
