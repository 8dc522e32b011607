import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { isSampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { ReservedHeight } from '#web/page/reserved-height.tsx'
import { useOpenSection } from '#web/page/use-open-section.ts'
import { WhenNear } from '#web/page/when-near.tsx'
import { QueryState } from '#web/queries/query-error.tsx'
import { useDeferredQuery } from '#web/queries/use-deferred-query.ts'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { dayMs } from '#web/ui/text/days.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { KeeperFrame } from '../keeper-frame.tsx'
import { countByDay, formatDay, formatDayOfYear } from '../moments/format-day.ts'
import { QueuedMoments } from '../moments/moment-body.tsx'
import { MomentCard } from '../moments/moment-card.tsx'
import { MomentComposer } from '../moments/moment-composer.tsx'
import { useMoments } from '../moments/moment-queries.ts'
import { TimelineSkeleton } from '../moments/timeline-skeleton.tsx'
import { useToday } from '../moments/use-today.ts'
import { isWrittenToday } from '../shelf/keeper-list-rules.ts'
import { dashboardQuery } from './dashboard-query.ts'
import { StreakStrip } from './streak-strip.tsx'

const SampleBanner = lazyComponent(
  async () => (await import('../sample/remove-sample.tsx')).SampleBanner,
  <Skeleton className="mb-6 h-[3.375rem] max-[1100px]:h-[80px] phone:h-[128px]" />,
)
const SharedMark = lazyComponent(async () => (await import('../shared/shared-mark.tsx')).SharedMark)
const ReadyEchoes = lazyComponent(
  async () => (await import('../echoes/echo-card.tsx')).ReadyEchoes,
  <ReservedHeight name="ready" isLoading />,
)
const JourneysCard = lazyComponent(
  async () => (await import('./suggestions-card.tsx')).JourneysCard,
  <ReservedHeight name="journeys" isLoading />,
)
const OnThisDayCard = lazyComponent(
  async () => (await import('./suggestions-card.tsx')).OnThisDayCard,
  <ReservedHeight name="on-this-day" isLoading />,
)
const PendingSoleCard = lazyComponent(
  async () => (await import('../sole/pending-sole-card.tsx')).PendingSoleCard,
  <Skeleton className="h-[156px]" />,
)
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

/** Keeps its height while the keeper is loading. */
function DashboardHeader({ keeper }: { keeper: Keeper | undefined }) {
  const coverClasses = 'phone:h-[69px] phone:w-[52px]'
  return (
    <header className="mb-5 flex items-start gap-4">
      {keeper ? (
        <Cover
          seed={keeper.id}
          width={64}
          height={84}
          ribbon={isWrittenToday(keeper.lastEntryAt, new Date())}
          className={coverClasses}
        />
      ) : (
        <span className="animate-late">
          <Skeleton className={`h-[84px] w-16 ${coverClasses}`} />
        </span>
      )}
      <div className="min-w-0">
        <h1 className="wrap-break-word">
          <span
            dir="auto"
            className="block min-h-[1lh] font-sans text-ui font-normal tracking-normal text-muted-foreground"
          >
            {keeper && `${keeper.title} `}
          </span>
          {formatDayOfYear(useToday())}
        </h1>
        <p className="min-h-[1lh] text-muted-foreground">{keeper && formatEntrySummary(keeper)}</p>
        {keeper && <SharedMark target={{ kind: 'keeper', id: keeper.id, title: keeper.title, keeperId: keeper.id }} />}
      </div>
    </header>
  )
}

function formatEntrySummary(keeper: Keeper): string {
  const { firstEntryAt, entryCount } = keeper
  if (firstEntryAt === null) return 'Day 1. The first line is yours.'
  const dayNumber = Math.max(1, Math.floor((Date.now() - Date.parse(firstEntryAt)) / dayMs) + 1)
  const entries = pluralize(entryCount, 'entry', 'entries')
  return isSampleKeeper(keeper) ? `${entries} to try out.` : `Day ${dayNumber}. ${entries}.`
}

function Dashboard({ keeper }: { keeper: Keeper }) {
  const result = useDeferredQuery(useQuery(dashboardQuery(keeper.id, useToday())))
  const { data: summary } = result
  const [areReadyEchoesLoaded, setReadyEchoesLoaded] = useState(false)
  const { isPending: areMomentsPending } = useMoments(keeper, {})
  const { pathname, search } = useLocation()
  const requestedSection = pathname.split('/').at(-1)
  const [loadedSections, setLoadedSections] = useState<readonly SectionName[]>([])
  const addLoadedSection = (name: SectionName) => setLoadedSections((previous) => [...previous, name])
  const isVoiceDelayed = !loadedSections.includes('topics')
  const delayedSections = {
    topics: false,
    voice: isVoiceDelayed,
    logbook: isVoiceDelayed || !loadedSections.includes('voice'),
  }
  const openSection = sectionNames.find((name) => name === requestedSection)
  // Content that loads above an opened section would push it down.
  const areSectionsDelayed =
    openSection !== undefined &&
    (!areReadyEchoesLoaded || areMomentsPending || result.isPending || delayedSections[openSection])
  // A query in the address opens an entry of a section.
  const shouldMountSections = openSection !== undefined || search !== ''
  // Opens the section again once it is visible, because an invisible one can't take the focus.
  useOpenSection(openSection, openSection && `${openSection} ${areSectionsDelayed}`)
  return (
    <>
      {isSampleKeeper(keeper) && <SampleBanner keeper={keeper} />}
      <div className="grid grid-cols-[minmax(0,1fr)_320px] gap-x-[52px] gap-y-8 max-[1100px]:grid-cols-1 min-h-dvh content-start">
        <div className="min-w-0">
          <MomentComposer keeper={keeper} question={summary?.today} />
          <div className="mt-[30px] empty:hidden">
            <ReadyEchoes keeper={keeper} onLoaded={() => setReadyEchoesLoaded(true)} />
          </div>
          {/* The days wait for the ready echoes above them, so that they aren't pushed down. */}
          {!areReadyEchoesLoaded && <TimelineSkeleton />}
          <div className={areReadyEchoesLoaded ? undefined : 'hidden'}>
            <RecentDays keeper={keeper} />
          </div>
        </div>
        {/* In a narrow window, this part is below the days, so it appears after them. */}
        <aside
          aria-label="Ready and waiting for you"
          className={classNames(
            'flex min-w-0 flex-col gap-[26px]',
            (!areReadyEchoesLoaded || areMomentsPending) && 'max-[1100px]:hidden',
          )}
        >
          <QueryState query={result} skeleton={<SummarySkeleton />} title="Today’s summary couldn’t be loaded">
            Nothing you wrote is affected.
          </QueryState>
          {summary && (
            <>
              <ReservedHeight name="on-this-day" isLoading={false}>
                <OnThisDayCard keeperId={keeper.id} moments={summary.onThisDay} />
              </ReservedHeight>
              <StreakStrip streak={summary.streak} />
              {keeper.soleDraft && <PendingSoleCard keeper={keeper} />}
              <SuggestionsCard keeper={keeper} suggestions={summary.suggestions} />
              <JourneysCard keeper={keeper} />
              <KeeperAgents keeper={keeper} />
            </>
          )}
        </aside>
      </div>
      {/* The last section fills the window, so that an opened section can always scroll to the top. */}
      <div
        className={classNames(
          'mt-14 flex flex-col gap-12',
          openSection && '*:last:min-h-dvh print:*:last:min-h-0',
          areSectionsDelayed && 'invisible',
        )}
      >
        <DashboardSection name="topics" label="Topics" shouldMountNow={shouldMountSections}>
          <TopicsSection keeper={keeper} onLoaded={() => addLoadedSection('topics')} />
        </DashboardSection>
        <DashboardSection
          name="voice"
          label="Voice Panel"
          isDelayed={delayedSections.voice}
          shouldMountNow={shouldMountSections}
        >
          <VoiceSection keeper={keeper} onLoaded={() => addLoadedSection('voice')} />
        </DashboardSection>
        <DashboardSection
          name="logbook"
          label="Logbook"
          isDelayed={delayedSections.logbook}
          shouldMountNow={shouldMountSections}
        >
          <LogbookSection keeper={keeper} />
        </DashboardSection>
      </div>
    </>
  )
}

/** The streak, then a list. */
function SummarySkeleton() {
  return (
    <SkeletonGroup className="flex flex-col gap-3">
      <Skeleton className="h-5 w-28" />
      <Skeleton className="h-3" />
      <Skeleton className="mt-3 h-4 w-44" />
      <Skeleton className="h-2" />
      <Skeleton className="mt-6 h-5 w-24" />
      <Skeleton className="h-4" />
      <Skeleton className="h-4 w-2/3" />
    </SkeletonGroup>
  )
}

function SectionSkeleton() {
  return <Skeleton className="h-40" />
}

interface DashboardSectionProps {
  name: SectionName
  label: string
  /** Invisible while the sections above are loading, because they would push it down. */
  isDelayed?: boolean
  shouldMountNow: boolean
  children: ReactNode
}

function DashboardSection({ name, label, isDelayed = false, shouldMountNow, children }: DashboardSectionProps) {
  return (
    <section
      id={name}
      tabIndex={-1}
      aria-label={label}
      className={classNames('scroll-mt-8 border-t border-border pt-8 outline-none', isDelayed && 'invisible')}
    >
      <WhenNear name={name} initialClassName="min-h-40" shouldMountNow={shouldMountNow}>
        {children}
      </WhenNear>
    </section>
  )
}

const maxRecentMoments = 5

export function RecentDays({ keeper }: { keeper: Keeper }) {
  const query = useMoments(keeper, {})
  const { items } = query
  const days = [...Map.groupBy(items.slice(0, maxRecentMoments), ({ localDate }) => localDate)]
  const counts = countByDay(items, query.hasNextPage)
  const momentsPath = `/keeper/${keeper.id}/moments`
  return (
    <>
      <QueuedMoments keeper={keeper} />
      <QueryState query={query} skeleton={<TimelineSkeleton />} title="Moments couldn’t be loaded" className="mt-8">
        Nothing you wrote is affected.
      </QueryState>
      {query.data && days.length === 0 && (
        <EmptyPanel drawing="leaf" title="No moments yet" className="mt-8">
          A sentence is enough. The date and time are added automatically.
        </EmptyPanel>
      )}
      {days.map(([day, moments], index) => (
        <RecentDay key={day} keeper={keeper} day={day} count={counts.get(day)} moments={moments}>
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
  /** Counts the whole day, including moments not listed here; `undefined` if not all are loaded. */
  count: number | undefined
  moments: Moment[]
  children: ReactNode
}

function RecentDay({ keeper, day, count, moments, children }: RecentDayProps) {
  return (
    <section aria-label={formatDay(day)} className="mt-[30px]">
      <div className="mb-3 flex items-baseline gap-2.5">
        <h2>{formatDay(day)}</h2>
        {count !== undefined && <span className="text-ui text-muted-foreground">{pluralize(count, 'moment')}</span>}
        {children}
      </div>
      {moments.map((moment) => (
        <MomentCard key={moment.id} keeper={keeper} moment={moment} />
      ))}
    </section>
  )
}
