import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { dashboards } from '#contract/keepers/dashboard.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { isSampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { call } from '#web/api/api.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { dayMs } from '#web/ui/text/days.ts'
import { getLocalTimeZone } from '#web/ui/text/format-time.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { KeeperFrame } from '../keeper-frame.tsx'
import { keeperKey } from '../keeper-queries.ts'
import { formatDay, formatLongDay, getToday } from '../moments/format-day.ts'
import { QueuedMoments } from '../moments/moment-body.tsx'
import { MomentCard } from '../moments/moment-card.tsx'
import { MomentComposer } from '../moments/moment-composer.tsx'
import { useMoments } from '../moments/moment-queries.ts'
import { isWrittenToday } from '../shelf/keeper-list-rules.ts'
import { KeeperSectionNav } from './keeper-section-nav.tsx'
import { StreakStrip } from './streak-strip.tsx'

/** How long the section stays in view while content above it loads, unless the reader scrolls (ms). */
const settleMs = 2500

function useOpenSection(id: string | undefined): void {
  useEffect(() => {
    if (!id) return
    const getSection = () => document.getElementById(id)
    const scrollToSection = () => getSection()?.scrollIntoView({ block: 'start' })
    const resizeObserver = new ResizeObserver(scrollToSection)
    resizeObserver.observe(document.body)
    const stop = () => {
      resizeObserver.disconnect()
      clearTimeout(timer)
      for (const eventName of scrollEvents) removeEventListener(eventName, stop)
    }
    const scrollEvents = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
    for (const eventName of scrollEvents) addEventListener(eventName, stop, { passive: true })
    const timer = setTimeout(stop, settleMs)
    scrollToSection()
    getSection()?.focus({ preventScroll: true })
    return stop
  }, [id])
}

const SampleBanner = lazyComponent(
  async () => (await import('../sample/remove-sample.tsx')).SampleBanner,
  <Skeleton className="mb-6 h-[54px] max-[1100px]:h-[80px] phone:h-[128px]" />,
)
const SharedMark = lazyComponent(async () => (await import('../shared/shared-mark.tsx')).SharedMark)
const ReadyEchoes = lazyComponent(async () => (await import('../echoes/echo-card.tsx')).ReadyEchoes)
const JourneysCard = lazyComponent(async () => (await import('./suggestions-card.tsx')).JourneysCard)
const OnThisDayCard = lazyComponent(async () => (await import('./suggestions-card.tsx')).OnThisDayCard)
const PendingSoleCard = lazyComponent(async () => (await import('../sole/pending-sole-card.tsx')).PendingSoleCard)
const KeeperAgents = lazyComponent(async () => (await import('./keeper-agents.tsx')).KeeperAgents)
const SuggestionsCard = lazyComponent(async () => (await import('./suggestions-card.tsx')).SuggestionsCard)
const TopicsSection = lazyComponent(
  async () => (await import('../topics/topics-section.tsx')).TopicsSection,
  <SectionSkeleton />,
)
const VoiceSection = lazyComponent(
  async () => (await import('../entries/entry-section.tsx')).VoiceSection,
  <SectionSkeleton />,
)
const LogbookSection = lazyComponent(
  async () => (await import('../entries/entry-section.tsx')).LogbookSection,
  <SectionSkeleton />,
)

const sectionNames = ['topics', 'voice', 'logbook'] as const
type SectionName = (typeof sectionNames)[number]

/** `/topics`, `/voice` and `/logbook` open the dashboard at that section. */
export function KeeperDashboardPage() {
  return (
    <KeeperFrame pageName="Dashboard" renderHeader={(keeper) => <DashboardHeader keeper={keeper} />}>
      {(keeper) => <Dashboard key={keeper.id} keeper={keeper} />}
    </KeeperFrame>
  )
}

function DashboardHeader({ keeper }: { keeper: Keeper }) {
  return (
    <header className="mb-5 flex items-start gap-4">
      <Cover
        seed={keeper.id}
        width={64}
        height={84}
        ribbon={isWrittenToday(keeper.lastEntryAt, new Date())}
        className="phone:h-[69px] phone:w-[52px]"
      />
      <div className="min-w-0">
        <h1 className="wrap-break-word">
          <span className="block font-sans text-ui font-normal tracking-normal text-muted-foreground">
            {keeper.title}{' '}
          </span>
          {formatLongDay(getToday()).replace(/, \d{4}$/, '')}
        </h1>
        <p className="text-muted-foreground">{formatEntrySummary(keeper)}</p>
        <SharedMark target={{ kind: 'keeper', id: keeper.id, title: keeper.title, keeperId: keeper.id }} />
      </div>
    </header>
  )
}

function formatEntrySummary(keeper: Keeper): string {
  const { firstEntryAt, entryCount } = keeper
  if (firstEntryAt === null) return 'Day 1. The first line is yours.'
  const day = Math.max(1, Math.floor((Date.now() - Date.parse(firstEntryAt)) / dayMs) + 1)
  const entries = pluralize(entryCount, 'entry', 'entries')
  return isSampleKeeper(keeper) ? `${entries} to try out.` : `Day ${day}. ${entries}.`
}

function Dashboard({ keeper }: { keeper: Keeper }) {
  const result = useDashboard(keeper)
  const { data } = result
  const { pathname } = useLocation()
  const requestedSection = pathname.split('/').at(-1)
  useOpenSection(sectionNames.find((name) => name === requestedSection))
  return (
    <>
      {isSampleKeeper(keeper) && <SampleBanner keeper={keeper} />}
      <KeeperSectionNav keeper={keeper} counts={data?.counts} />
      <div className="grid grid-cols-[minmax(0,1fr)_320px] gap-x-[52px] gap-y-8 max-[1100px]:grid-cols-1">
        <div className="min-w-0">
          <MomentComposer keeper={keeper} compact question={data?.today} />
          <div className="mt-[30px] empty:hidden">
            <ReadyEchoes keeper={keeper} />
          </div>
          <RecentDays keeper={keeper} />
        </div>
        <aside aria-label="Ready and waiting for you" className="flex min-w-0 flex-col gap-[26px]">
          <QueryStatus query={result} title="Today’s summary couldn’t be loaded" skeleton="h-56" />
          {data && (
            <>
              <OnThisDayCard keeperId={keeper.id} moments={data.onThisDay} />
              <StreakStrip streak={data.streak} />
              <PendingSoleCard keeper={keeper} />
              <SuggestionsCard keeper={keeper} suggestions={data.suggestions} />
              <JourneysCard keeper={keeper} />
              <KeeperAgents keeper={keeper} />
            </>
          )}
        </aside>
      </div>
      <div className="mt-14 flex flex-col gap-12">
        <DashboardSection name="topics" label="Topics">
          <TopicsSection keeper={keeper} />
        </DashboardSection>
        <DashboardSection name="voice" label="Voice Panel">
          <VoiceSection keeper={keeper} />
        </DashboardSection>
        <DashboardSection name="logbook" label="Logbook">
          <LogbookSection keeper={keeper} />
        </DashboardSection>
      </div>
    </>
  )
}

function SectionSkeleton() {
  return <Skeleton className="h-40" />
}

function DashboardSection({ name, label, children }: { name: SectionName; label: string; children: ReactNode }) {
  return (
    <section
      id={name}
      tabIndex={-1}
      aria-label={label}
      className="scroll-mt-20 border-t border-border pt-8 outline-none"
    >
      {children}
    </section>
  )
}

/** Loads the dashboard for today in the reader's time zone. */
function useDashboard(keeper: Keeper) {
  const date = getToday()
  return useQuery({
    queryKey: keeperKey(keeper.id, 'dashboard', date),
    queryFn: ({ signal }) =>
      call(dashboards.show, { params: { id: keeper.id }, query: { date, timezone: getLocalTimeZone() }, signal }),
  })
}

const maxRecentMoments = 5

export function RecentDays({ keeper }: { keeper: Keeper }) {
  const query = useMoments(keeper, {})
  const { items } = query
  const days = [...Map.groupBy(items.slice(0, maxRecentMoments), ({ localDate }) => localDate)]
  const countMoments = (day: string) => items.filter(({ localDate }) => localDate === day).length
  const momentsPath = `/keeper/${keeper.id}/moments`
  return (
    <>
      <QueuedMoments keeper={keeper} />
      <div className="mt-8 empty:hidden">
        <QueryStatus query={query} title="Moments couldn’t be loaded" skeleton="h-56" />
      </div>
      {query.data && days.length === 0 && (
        <EmptyPanel drawing="leaf" title="No moments yet" className="mt-8">
          A sentence is enough. The date and time are added automatically.
        </EmptyPanel>
      )}
      {days.map(([day, moments], index) => (
        <RecentDay key={day} keeper={keeper} day={day} count={countMoments(day)} moments={moments}>
          {index === 0 && (
            <Link to={momentsPath} className={`ms-auto ${quietLinkClasses}`}>
              All moments
            </Link>
          )}
        </RecentDay>
      ))}
    </>
  )
}

interface RecentDayProps {
  keeper: Keeper
  day: string
  /** Counts the whole day, including moments not listed here. */
  count: number
  moments: Moment[]
  children: ReactNode
}

function RecentDay({ keeper, day, count, moments, children }: RecentDayProps) {
  return (
    <section aria-label={formatDay(day)} className="mt-[30px]">
      <div className="mb-3 flex items-baseline gap-2.5">
        <h2>{formatDay(day)}</h2>
        <span className="text-ui text-muted-foreground">{pluralize(count, 'moment')}</span>
        {children}
      </div>
      {moments.map((moment) => (
        <MomentCard key={moment.id} keeper={keeper} moment={moment} />
      ))}
    </section>
  )
}
