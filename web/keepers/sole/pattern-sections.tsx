import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Keeper, type MemoryBehaviour, memoryBehaviour } from '#contract/keepers/keepers.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import type { MemoryPattern } from '#contract/keepers/memory-patterns.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { topics } from '#contract/keepers/topics.ts'
import { call } from '#web/api.ts'
import { counted } from '#web/ui/counted.ts'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { formatTime } from '#web/ui/format-time.ts'
import { quietLink } from '#web/ui/quiet-link.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { entryAddress } from '../keeper-addresses.ts'
import { keeperKey } from '../keeper-queries.ts'
import { patternsQuery } from '../memory-pattern-queries.ts'
import { plainExcerpt } from '../reflections/plain-excerpt.ts'

const mostShown = 5

interface Shown {
  id: string
  to: string
  /** The day, place or topic. */
  label: string
  text: string
}

interface List {
  says: string
  /** The link text to the full list. */
  all: string
  page: string
  none: string
  load(keeperId: string, signal: AbortSignal): Promise<Shown[]>
}

const first = { limit: mostShown }
const day = (text: string) => formatTime(`${text.slice(0, 10)}T12:00:00`)

export const lists = {
  timeline: {
    says: 'Moments, newest first.',
    all: 'All moments',
    page: 'moments',
    none: 'No moments yet.',
    async load(id, signal) {
      const { items } = await call(moments.list, { params: { id }, query: first, signal })
      return items.map((moment) => ({
        id: moment.id,
        to: entryAddress({ entity: 'moment', keeperId: id, id: moment.id }),
        label: day(moment.localDate),
        text: moment.title || plainExcerpt(moment.body) || 'A moment without words',
      }))
    },
  },
  list: {
    says: 'Memory cards, newest first.',
    all: 'All memory cards',
    page: 'memory-cards',
    none: 'No memory cards yet.',
    async load(id, signal) {
      const cards = await call(memoryCards.list, { params: { id }, query: first, signal })
      return cards.map((card) => ({
        id: card.id,
        to: entryAddress({ entity: 'card', keeperId: id, id: card.id }),
        label: card.topic ?? 'Without a topic',
        text: plainExcerpt(card.content),
      }))
    },
  },
  map: {
    says: 'Places of your moments, most visited first.',
    all: 'The map',
    page: 'moments?view=map',
    none: 'No moments with a place yet.',
    async load(id, signal) {
      const { places } = await call(moments.places, { params: { id }, signal })
      const fullest = places.toSorted((one, other) => other.moments - one.moments).slice(0, mostShown)
      return fullest.map((place) => ({
        id: place.spot,
        to: `/keeper/${encodeURIComponent(id)}/moments?view=map&place=${encodeURIComponent(place.spot)}`,
        label: counted(place.moments, 'moment'),
        text: place.name,
      }))
    },
  },
  text: {
    says: 'Reflections, newest first.',
    all: 'All reflections',
    page: 'reflection-journal?tab=all',
    none: 'No reflections yet.',
    async load(id, signal) {
      const written = await call(reflections.list, { params: { id }, query: first, signal })
      return written.map((reflection) => ({
        id: reflection.id,
        to: entryAddress({ entity: 'reflection', keeperId: id, id: reflection.id }),
        label: reflection.topic ?? day(reflection.createdAt),
        text: plainExcerpt(reflection.content),
      }))
    },
  },
  topics: {
    says: 'Entries by topic, largest topic first.',
    all: 'All topics',
    page: 'topics',
    none: 'No topics yet.',
    async load(id, signal) {
      const known = await call(topics.list, { params: { id }, signal })
      const fullest = known.toSorted((one, other) => other.total - one.total).slice(0, mostShown)
      return fullest.map((topic) => ({
        id: topic.id,
        to: entryAddress({ entity: 'topic', keeperId: id, id: topic.id }),
        label: counted(topic.total, 'entry', 'entries'),
        text: topic.name,
      }))
    },
  },
} satisfies Record<string, List>

interface Section {
  key: string
  title: string
  kind: keyof typeof lists
}

const byDate: Section = { key: 'date', title: 'By date', kind: 'timeline' }
const kept: Section = { key: 'kept', title: 'Kept', kind: 'list' }
/** Sections for pattern names without a custom pattern. */
const usual: Record<MemoryBehaviour, Section[]> = {
  sole: [],
  journal: [byDate, kept],
  tracker: [{ key: 'topic', title: 'By topic', kind: 'topics' }, kept],
  palace: [{ key: 'place', title: 'By place', kind: 'map' }, byDate],
}

/** The memory of a keeper without a standing story: the sections of its pattern. */
export function PatternSections({ keeper }: { keeper: Keeper }) {
  const { data, isPending } = useQuery(patternsQuery)
  if (isPending) return <Skeleton className="mt-9 h-64" />
  return (
    <div className="mt-9 grid grid-cols-1 gap-x-10 gap-y-9 desk:grid-cols-2">
      {sectionsOf(keeper.memoryPattern, data?.entries ?? []).map((section) => (
        <PatternSection key={section.key} keeperId={keeper.id} section={section} />
      ))}
    </div>
  )
}

function sectionsOf(said: string, patterns: readonly MemoryPattern[]): Section[] {
  const saying = patterns.filter(({ slug, name }) =>
    [slug, name].some((word) => word.toLowerCase() === said.toLowerCase()),
  )
  const pattern = saying.find(({ mine }) => mine) ?? saying[0]
  if (pattern && pattern.sections.length > 0) return pattern.sections
  return usual[memoryBehaviour(said) ?? 'journal']
}

function PatternSection({ keeperId, section }: { keeperId: string; section: Section }) {
  const { says, all, page, none, load }: List = lists[section.kind]
  const { data, error, isPending, refetch, isRefetching } = useQuery({
    queryKey: keeperKey(keeperId, 'pattern-section', section.kind),
    queryFn: ({ signal }) => load(keeperId, signal),
  })
  const headingId = `section-${section.key}`
  return (
    <section aria-labelledby={headingId} className="min-w-0">
      <div className="flex flex-wrap items-baseline gap-x-2.5">
        <h2 id={headingId} className="min-w-0 wrap-anywhere">
          {section.title}
        </h2>
        <Link to={`/keeper/${encodeURIComponent(keeperId)}/${page}`} className={`ms-auto ${quietLink}`}>
          {all}
        </Link>
      </div>
      <p className="mt-0.5 mb-2 text-small text-muted-foreground">{says}</p>
      {isPending && <Skeleton className="h-32" />}
      {error && !data && (
        <ErrorPanel reason={error} title="This could not be loaded." onRetry={() => refetch()} retrying={isRefetching}>
          Nothing you wrote is affected.
        </ErrorPanel>
      )}
      {data?.length === 0 && <p className="text-ui text-muted-foreground">{none}</p>}
      {data && data.length > 0 && (
        <ul>
          {data.map(({ id, to, label, text }) => (
            <li key={id} className="border-b border-hairline last:border-b-0">
              <Link to={to} className="block rounded-xs py-2.5 hover:bg-muted">
                <span className="block text-small text-muted-foreground wrap-anywhere">{label}</span>
                <span className="line-clamp-2 text-ui wrap-anywhere">{text}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
