import { lazy, Suspense } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { type SharedKeeper, type SharedPart, sharedPartNames } from '#contract/domains/sharing-in-domains.ts'
import { AgentText } from '#web/agents/agent-text.tsx'
import { useCrumb, useCrumbAbove } from '#web/shell/crumb.ts'
import { Card } from '#web/ui/card.tsx'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { Ribbon } from '#web/ui/ribbon.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { useMyDomains } from '#web/use-my-domains.ts'
import { statusLabels } from '../journeys/journey-list.tsx'
import { dashboardAddress } from '../keeper-addresses.ts'
import { MomentMarkdown } from '../moments/moment-markdown.tsx'
import { pigmentFill } from '../pigments.ts'
import { useKeeperTheme } from '../use-keeper-theme.ts'
import { MediaOfDomain } from './media-of-domain.tsx'
import { journeyInDomain, sharedInDomain } from './shared-addresses.ts'
import { isGone, useSharedKeeper, useSharedLogbook, useSharedMoments } from './shared-queries.ts'
import { KeptBy, SharedState } from './shared-states.tsx'

const Years = lazy(() => import('../logbook/years.tsx').then((module) => ({ default: module.Years })))
const ReadTimeline = lazy(() => import('./read-timeline.tsx').then((module) => ({ default: module.ReadTimeline })))

type Whole = NonNullable<ReturnType<typeof useSharedKeeper>['data']>

/** The shared parts of a keeper, read-only. */
export function SharedKeeperPage() {
  const { domainId = '', keeperId = '' } = useParams()
  const found = useSharedKeeper(domainId, keeperId)
  const gone = !found.data || isGone(found.error)
  useKeeperTheme(keeperId, found.isPending ? undefined : gone ? null : found.data)
  if (!found.data || gone)
    return (
      <SharedState
        title="Keeper"
        query={found}
        wasHere={found.data !== undefined}
        back={{ to: sharedInDomain(domainId), label: 'All shared items' }}
        what="keeper"
      />
    )
  return (
    <MomentMarkdown value={AgentText}>
      <MediaOfDomain domainId={domainId}>
        <Reading key={keeperId} domainId={domainId} keeper={found.data} />
      </MediaOfDomain>
    </MomentMarkdown>
  )
}

function Reading({ domainId, keeper }: { domainId: string; keeper: Whole }) {
  const [search, setSearch] = useSearchParams()
  const domainName = useMyDomains().data?.find(({ id }) => id === domainId)?.name ?? 'this domain'
  useCrumbAbove(domainName, sharedInDomain(domainId))
  useCrumb(keeper.title)
  const tabs = keeper.parts.map((part) => {
    const count = part === 'sole' ? null : keeper.counts[part]
    return { id: part, label: sharedPartNames[part], ...(count !== null && { count }) }
  })
  const part = keeper.parts.find((each) => each === search.get('part')) ?? keeper.parts[0] ?? 'moments'
  return (
    <>
      <header className="mb-6 flex items-start gap-4">
        <Cover seed={keeper.id} width={64} height={84} className="phone:h-[69px] phone:w-[52px]" />
        <div className="min-w-0">
          <h1 className="wrap-break-word">{keeper.title}</h1>
          <KeptBy {...keeper.owner} domainName={domainName}>
            {keeper.owner.isMe && (
              <Link to={dashboardAddress(keeper.id)} className="underline underline-offset-2">
                Open as owner
              </Link>
            )}
          </KeptBy>
          {keeper.purpose && (
            <p className="mt-2 max-w-[42rem] font-serif text-read whitespace-pre-wrap wrap-break-word">
              {keeper.purpose}
            </p>
          )}
        </div>
      </header>
      <Tabs
        label={keeper.title}
        tabs={tabs}
        value={part}
        onValueChange={(next) => setSearch({ part: next }, { replace: true })}
      >
        <Part part={part} domainId={domainId} keeper={keeper} />
      </Tabs>
    </>
  )
}

function Part({ part, domainId, keeper }: { part: SharedPart; domainId: string; keeper: Whole }) {
  if (part === 'moments') return <MomentsOf domainId={domainId} keeper={keeper} />
  if (part === 'logbook') return <LogbookOf domainId={domainId} keeper={keeper} />
  if (part === 'journeys') return <JourneysOf domainId={domainId} journeys={keeper.journeysOfIt} />
  return <SoleOf statements={keeper.sole ?? []} />
}

interface PartProps {
  domainId: string
  keeper: Pick<SharedKeeper, 'id' | 'title'>
}

function MomentsOf({ domainId, keeper }: PartProps) {
  const found = useSharedMoments(domainId, keeper.id)
  const { items, isPending, error, refetch, isRefetching, hasNextPage, isFetchingNextPage, fetchNextPage } = found
  if (isPending) return <Skeleton className="h-64" />
  if (error && items.length === 0)
    return (
      <ErrorPanel
        reason={error}
        title="The moments could not be loaded"
        onRetry={() => refetch()}
        retrying={isRefetching}
      >
        {error.message}
      </ErrorPanel>
    )
  if (items.length === 0)
    return (
      <EmptyPanel drawing="path" title="No moments yet">
        Moments added to {keeper.title} will appear here.
      </EmptyPanel>
    )
  return (
    <Suspense fallback={<Skeleton className="h-64" />}>
      <ReadTimeline
        items={items}
        hasMore={hasNextPage}
        fetching={found.isFetching}
        loadingMore={isFetchingNextPage}
        failedMore={found.isFetchNextPageError}
        onMore={() => void fetchNextPage()}
      />
    </Suspense>
  )
}

function LogbookOf({ domainId, keeper }: PartProps) {
  const { data, error, refetch, isRefetching } = useSharedLogbook(domainId, keeper.id)
  if (!data && error)
    return (
      <ErrorPanel
        reason={error}
        title="The logbook could not be loaded"
        onRetry={() => refetch()}
        retrying={isRefetching}
      >
        {error.message}
      </ErrorPanel>
    )
  if (!data) return <Skeleton className="h-64" />
  if (data.length === 0)
    return <EmptyPanel title="No logbook entries yet">Logbook entries will appear here.</EmptyPanel>
  return (
    <Suspense fallback={<Skeleton className="h-64" />}>
      <Years entries={data} />
    </Suspense>
  )
}

function JourneysOf({ domainId, journeys }: { domainId: string; journeys: Whole['journeysOfIt'] }) {
  if (journeys.length === 0)
    return (
      <EmptyPanel drawing="path" title="No journeys yet">
        Journeys will appear here.
      </EmptyPanel>
    )
  return (
    <ul className="flex max-w-[48rem] flex-col">
      {journeys.map((journey) => (
        <li key={journey.id} className="border-t border-hairline py-4 first:border-t-0 first:pt-1">
          <h2 className="flex items-baseline gap-2.5 text-lead wrap-anywhere">
            <span aria-hidden className={`size-2.5 shrink-0 rounded-full ${pigmentFill(journey.color)}`} />
            <Link to={journeyInDomain(domainId, journey.id)} className="rounded-xs underline-offset-4 hover:underline">
              {journey.title}
            </Link>
          </h2>
          <p className="ps-5 text-small text-muted-foreground">{statusLabels[journey.status]}</p>
          {journey.purpose && (
            <p className="mt-1 line-clamp-3 ps-5 font-serif text-body wrap-anywhere">{journey.purpose}</p>
          )}
        </li>
      ))}
    </ul>
  )
}

function SoleOf({ statements }: { statements: NonNullable<Whole['sole']> }) {
  if (statements.length === 0)
    return (
      <EmptyPanel drawing="seal" title="No SOLE yet">
        Approved statements will appear here.
      </EmptyPanel>
    )
  return (
    <Card kind="paper" className="max-w-[48rem] ps-10 phone:ps-9">
      <Ribbon className="start-4 h-9 w-[13px]" />
      <ul aria-label="Approved statements" className="flex flex-col gap-3">
        {statements.map(({ id, text }) => (
          <li key={id} className="font-serif text-[18px] leading-7 wrap-break-word">
            {text}
          </li>
        ))}
      </ul>
    </Card>
  )
}
