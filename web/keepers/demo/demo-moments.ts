import { getInstant, getLocalDay, getLocalTime } from '#contract/keepers/local-time.ts'
import type { Moment, MomentPlaces, MomentYear } from '#contract/keepers/moments.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import { toPlainText } from '#contract/plain-text.ts'
import { createTextFilter } from '#contract/search/search-query.ts'
import { addDays } from '#web/ui/days.ts'
import { getLocalTimeZone } from '#web/ui/format-time.ts'

interface SampleMoment {
  daysAgo: number
  time: string
  body: string
  topics?: string[]
  mood?: number
  place?: string
  pinned?: boolean
}

const samplePlaces: Record<string, { lat: number; lng: number }> = {
  'The quay': { lat: 60.397, lng: 5.322 },
  'The old school': { lat: 60.401, lng: 5.309 },
}

const daysPerYear = 365

const sampleMoments: SampleMoment[] = [
  {
    daysAgo: 0,
    time: '07:40',
    body: 'First frost on the rope ladder. Counted eleven cormorants from the window before the coffee was done.',
    topics: ['Mornings'],
    mood: 1,
  },
  {
    daysAgo: 1,
    time: '18:05',
    body: 'The ferry was late, so Per and I ate the cardamom buns on the quay with our gloves on. He told me about the flat in Bergen. I think he is going to take it.',
    topics: ['Per', 'Bergen'],
    mood: 0,
    place: 'The quay',
    pinned: true,
  },
  {
    daysAgo: 1,
    time: '12:20',
    body: 'Mum’s handwriting on the jam labels. I had forgotten she wrote her sevens with a bar.',
    topics: ['Mother'],
    mood: -1,
  },
  {
    daysAgo: 4,
    time: '18:40',
    body: 'Ida left the lamp on in the kitchen again. I stood there with the kettle and decided not to turn it off.',
    topics: ['Ida', 'The house'],
    mood: 1,
    pinned: true,
  },
  {
    daysAgo: 12,
    time: '21:10',
    body: 'Choir. We sang the slow one twice.',
    topics: ['Choir'],
    mood: 2,
    place: 'The old school',
  },
  {
    daysAgo: 19,
    time: '17:02',
    body: 'What the harbour sounds like at five: one halyard, one gull, nobody.',
    place: 'The quay',
  },
  {
    daysAgo: 2 * daysPerYear,
    time: '16:30',
    body: 'Moved the writing desk to the north window. The light is worse and I like it better. Nothing here asks to be photographed.',
    topics: ['The house'],
    mood: 1,
  },
]

/** The moments of a demo keeper, newest first, dated relative to today. */
export function getDemoMoments(keeperId: string, filter: DemoMomentFilter = {}, now = Date.now()): Moment[] {
  const timezone = getLocalTimeZone()
  return sampleMoments
    .map((sample, index) => createDemoMoment(sample, { keeperId, index, timezone, now }))
    .filter((moment) => matchesFilter(moment, filter))
}

export interface DemoMomentFilter {
  q?: string
  topic?: string
  mood?: number
  journeyId?: string
  from?: string
  to?: string
  spot?: string
  withMedia?: 'true'
}

function createDemoMoment(
  { daysAgo, time, body, topics = [], mood, place, pinned = false }: SampleMoment,
  { keeperId, index, timezone, now }: { keeperId: string; index: number; timezone: string; now: number },
): Moment {
  const localDate =
    daysAgo === 2 * daysPerYear
      ? subtractYears(getLocalDay(timezone, now), 2)
      : addDays(getLocalDay(timezone, now), -daysAgo)
  // No sample may lie in the future.
  const localTime = daysAgo === 0 && getLocalTime(timezone, now) < time ? '00:00' : time
  const occurredAt = new Date(getInstant(timezone, localDate, localTime)).toISOString()
  return {
    id: `sample-moment-${index}`,
    keeperId,
    createdAt: occurredAt,
    updatedAt: occurredAt,
    rev: 1,
    occurredAt,
    localDate,
    timezone,
    title: null,
    body,
    mood: mood === undefined ? null : { score: mood, label: null },
    place: place ? { name: place, lat: null, lng: null, ...samplePlaces[place] } : null,
    weather: null,
    topics: topics.map((name) => ({ id: `sample-topic-${normalizeTopicName(name)}`, name, color: 'iron-gall' })),
    media: [],
    journeyId: null,
    pinned,
    aiVisible: true,
    promptId: null,
  }
}

function subtractYears(day: string, years: number): string {
  const earlierYear = String(Number(day.slice(0, 4)) - years)
  return earlierYear + (day.endsWith('-02-29') ? '-02-28' : day.slice(4))
}

function matchesFilter(
  moment: Moment,
  { q, topic, mood, journeyId, from, to, spot, withMedia }: DemoMomentFilter,
): boolean {
  return (
    createTextFilter(q ?? '')(moment.title, toPlainText(moment.body), moment.mood?.label, moment.place?.name) &&
    (topic === undefined || moment.topics.some(({ name }) => normalizeTopicName(name) === normalizeTopicName(topic))) &&
    (mood === undefined || moment.mood?.score === mood) &&
    (from === undefined || moment.localDate >= from) &&
    (to === undefined || moment.localDate <= to) &&
    (spot === undefined || moment.place?.name === spot) &&
    journeyId === undefined &&
    withMedia === undefined
  )
}

export function getDemoCalendar(keeperId: string, from: string, to: string) {
  const days = Map.groupBy(getDemoMoments(keeperId, { from, to }), ({ localDate }) => localDate)
  return [...days].toReversed().map(([date, moments]) => {
    const scores = moments.flatMap(({ mood }) => (mood ? [mood.score] : []))
    const averageMood = scores.length === 0 ? null : scores.reduce((total, score) => total + score, 0) / scores.length
    return { date, count: moments.length, mood: averageMood }
  })
}

export const demoYears = (keeperId: string): MomentYear[] =>
  [...Map.groupBy(getDemoMoments(keeperId), ({ localDate }) => localDate.slice(0, 4))]
    .toReversed()
    .map(([daysPerYear, moments]) => ({
      year: daysPerYear,
      count: moments.length,
      first: moments.at(-1)?.localDate ?? '',
    }))

export const getDemoOnThisDay = (keeperId: string, date: string): Moment[] =>
  getDemoMoments(keeperId).filter(({ localDate }) => localDate < date && localDate.slice(4) === date.slice(4))

export function getDemoPlaces(keeperId: string): MomentPlaces {
  const visits = Map.groupBy(
    getDemoMoments(keeperId).filter(({ place }) => place !== null),
    ({ place }) => place?.name ?? '',
  )
  const visitedPlaces = [...visits].map(([name, moments]) => {
    const days = moments.map(({ localDate }) => localDate).toSorted()
    const { lat = null, lng = null } = samplePlaces[name] ?? {}
    return { spot: name, name, lat, lng, moments: moments.length, first: days[0] ?? '', last: days.at(-1) ?? '' }
  })
  return { places: visitedPlaces.toSorted((a, b) => (a.first < b.first ? -1 : 1)), isWhole: true }
}
