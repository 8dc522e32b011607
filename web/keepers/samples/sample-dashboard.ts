import type { Dashboard } from '#contract/keepers/dashboard.ts'
import { sampleJourneys } from './sample-journeys.ts'
import { sampleCalendar, sampleMoments, sampleOnThisDay } from './sample-moments.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Days ago on which the sample's person wrote nothing. */
const missed = new Set([7, 16, 30, 31, 38])

/** Today in a sample: its moments are always of these days. */
export function sampleDashboard(keeperId: string, date: string): Dashboard {
  const written = new Map(sampleCalendar(keeperId, '0000-01-01', date).map((day) => [day.date, day]))
  const kept = new Set(sampleMoments(keeperId).flatMap(({ pinned, localDate }) => (pinned ? [localDate] : [])))
  const days = Array.from({ length: 42 }, (_, at) => {
    const ago = 41 - at
    const day = new Date(Date.parse(date) - ago * dayMs).toISOString().slice(0, 10)
    const count = written.get(day)?.count ?? (missed.has(ago) ? 0 : 1)
    return { date: day, count, kept: kept.has(day), mood: written.get(day)?.mood ?? null }
  })
  return {
    counts: {
      moments: sampleMoments(keeperId).length,
      journeys: sampleJourneys.length,
      paths: sampleJourneys.reduce((sum, journey) => sum + journey._count.Path, 0),
      reflections: 5,
      cards: 0,
      cardsEmbedded: 0,
      voice: 0,
      echoesReady: 0,
      logbook: 0,
      topics: 0,
    },
    today: {
      date,
      promptId: 'worth-keeping',
      prompt: 'What is worth keeping from today?',
      moments: sampleMoments(keeperId, { from: date, to: date }),
    },
    onThisDay: sampleOnThisDay(keeperId, date),
    streak: { current: 15, longest: 31, graceUsed: true, days },
    echoesReady: [],
    pendingSole: null,
    activeSole: null,
    suggestions: [],
    recent: [],
  }
}
