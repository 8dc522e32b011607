import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import { getMemoryBehavior, type Keeper, type MemoryBehavior } from '#contract/keepers/keepers.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import type { MemoryPattern } from '#contract/keepers/memory-patterns.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { topics } from '#contract/keepers/topics.ts'
import { call } from '#web/api/api.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { keeperKey } from '../keeper-queries.ts'
import { patternsQuery } from '../memory-pattern-queries.ts'
import { toPlainExcerpt } from '../reflections/plain-excerpt.ts'

const maxSectionItems = 5

interface SectionItem {
  id: string
  to: string
  label: string
  text: string
}

interface SectionList {
  description: string
  /** Text of the link to the full list. */
  linkText: string
  pagePath: string
  emptyText: string
  fetchItems(keeperId: string, signal: AbortSignal): Promise<SectionItem[]>
}

const pageQuery = { limit: maxSectionItems }
const formatItemDay = (text: string) => formatTime(`${text.slice(0, 10)}T12:00:00`)

export const sectionLists = {
  timeline: {
    description: 'Moments, newest first.',
    linkText: 'All moments',
    pagePath: 'moments',
    emptyText: 'No moments yet.',
    async fetchItems(id, signal) {
      const { items } = await call(moments.list, { params: { id }, query: pageQuery, signal })
      return items.map((moment) => ({
        id: moment.id,
        to: getEntryPath({ entity: 'moment', keeperId: id, id: moment.id }),
        label: formatItemDay(moment.localDate),
        text: moment.title || toPlainExcerpt(moment.body) || 'A moment without text',
      }))
    },
  },
  list: {
    description: 'Memory cards, newest first.',
    linkText: 'All memory cards',
    pagePath: 'memory-cards',
    emptyText: 'No memory cards yet.',
    async fetchItems(id, signal) {
      const cards = await call(memoryCards.list, { params: { id }, query: pageQuery, signal })
      return cards.map((card) => ({
        id: card.id,
        to: getEntryPath({ entity: 'card', keeperId: id, id: card.id }),
        label: card.topic ?? 'Without a topic',
        text: toPlainExcerpt(card.content),
      }))
    },
  },
  map: {
    description: 'Places in your moments, most visited first.',
    linkText: 'The map',
    pagePath: 'moments?view=map',
    emptyText: 'No moments with a place yet.',
    async fetchItems(id, signal) {
      const { places } = await call(moments.places, { params: { id }, signal })
      const visitedPlaces = places.toSorted((a, b) => b.moments - a.moments).slice(0, maxSectionItems)
      return visitedPlaces.map((place) => ({
        id: place.spot,
        to: `/keeper/${encodeURIComponent(id)}/moments?view=map&place=${encodeURIComponent(place.spot)}`,
        label: pluralize(place.moments, 'moment'),
        text: place.name,
      }))
    },
  },
  text: {
    description: 'Reflections, newest first.',
    linkText: 'All reflections',
    pagePath: 'reflection-journal?tab=all',
    emptyText: 'No reflections yet.',
    async fetchItems(id, signal) {
      const reflectionList = await call(reflections.list, { params: { id }, query: pageQuery, signal })
      return reflectionList.map((reflection) => ({
        id: reflection.id,
        to: getEntryPath({ entity: 'reflection', keeperId: id, id: reflection.id }),
        label: reflection.topic ?? formatItemDay(reflection.createdAt),
        text: toPlainExcerpt(reflection.content),
      }))
    },
  },
  topics: {
    description: 'Entries by topic, largest topic first.',
    linkText: 'All topics',
    pagePath: 'topics',
    emptyText: 'No topics yet.',
    async fetchItems(id, signal) {
      const topicList = await call(topics.list, { params: { id }, signal })
      const frequentTopics = topicList.toSorted((a, b) => b.total - a.total).slice(0, maxSectionItems)
      return frequentTopics.map((topic) => ({
        id: topic.id,
        to: getEntryPath({ entity: 'topic', keeperId: id, id: topic.id }),
        label: pluralize(topic.total, 'entry', 'entries'),
        text: topic.name,
      }))
    },
  },
} satisfies Record<string, SectionList>

interface PatternSectionConfig {
  key: string
  title: string
  kind: keyof typeof sectionLists
}

const byDateSection: PatternSectionConfig = { key: 'date', title: 'By date', kind: 'timeline' }
const savedSection: PatternSectionConfig = { key: 'kept', title: 'Kept', kind: 'list' }
/** Sections for pattern names without a custom pattern. */
const defaultSections: Record<MemoryBehavior, PatternSectionConfig[]> = {
  sole: [],
  journal: [byDateSection, savedSection],
  tracker: [{ key: 'topic', title: 'By topic', kind: 'topics' }, savedSection],
  palace: [{ key: 'place', title: 'By place', kind: 'map' }, byDateSection],
}

export function PatternSections({ keeper }: { keeper: Keeper }) {
  const { data: patterns, isPending } = useQuery(patternsQuery)
  if (isPending) return <Skeleton className="mt-9 h-64" />
  return (
    <div className="mt-9 grid grid-cols-1 gap-x-10 gap-y-9 desk:grid-cols-2">
      {getSections(keeper.memoryPattern, patterns?.entries ?? []).map((section) => (
        <PatternSection key={section.key} keeperId={keeper.id} section={section} />
      ))}
    </div>
  )
}

function getSections(patternName: string, patterns: readonly MemoryPattern[]): PatternSectionConfig[] {
  const matchingPatterns = patterns.filter(({ slug, name }) =>
    [slug, name].some((key) => key.toLowerCase() === patternName.toLowerCase()),
  )
  const pattern = matchingPatterns.find(({ mine }) => mine) ?? matchingPatterns[0]
  if (pattern && pattern.sections.length > 0) return pattern.sections
  return defaultSections[getMemoryBehavior(patternName) ?? 'journal']
}

function PatternSection({ keeperId, section }: { keeperId: string; section: PatternSectionConfig }) {
  const { description, linkText, pagePath, emptyText, fetchItems }: SectionList = sectionLists[section.kind]
  const result = useQuery({
    queryKey: keeperKey(keeperId, 'pattern-section', section.kind),
    queryFn: ({ signal }) => fetchItems(keeperId, signal),
  })
  const { data: items } = result
  const headingId = `section-${section.key}`
  return (
    <section aria-labelledby={headingId} className="min-w-0">
      <div className="flex flex-wrap items-baseline gap-x-2.5">
        <h2 id={headingId} className="min-w-0 wrap-anywhere">
          {section.title}
        </h2>
        <Link to={`/keeper/${encodeURIComponent(keeperId)}/${pagePath}`} className={`ms-auto ${quietLinkClasses}`}>
          {linkText}
        </Link>
      </div>
      <p className="mt-0.5 mb-2 text-small text-muted-foreground">{description}</p>
      <QueryStatus query={result} title="This section couldn’t be loaded." skeletonClassName="h-32" />
      {items?.length === 0 && <p className="text-ui text-muted-foreground">{emptyText}</p>}
      {items && items.length > 0 && (
        <ul>
          {items.map(({ id, to, label, text }) => (
            <li key={id} className="border-b border-hairline last:border-b-0">
              <Link to={to} className="block rounded-xs py-2.5 hover:bg-muted">
                <span dir="auto" className="block text-small text-muted-foreground wrap-anywhere">
                  {label}
                </span>
                <span dir="auto" className="line-clamp-2 text-ui wrap-anywhere">
                  {text}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
