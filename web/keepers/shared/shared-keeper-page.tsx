import { Link, useParams, useSearchParams } from 'react-router'
import { type SharedKeeper, type SharedPart, sharedPartNames } from '#contract/domains/sharing-in-domains.ts'
import { useCrumb, useSetParentCrumb } from '#web/page/crumb.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Ribbon } from '#web/ui/panels/ribbon.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { statusLabels } from '../journeys/journey-list.tsx'
import { getDashboardPath } from '../keeper-addresses.ts'
import { Prose } from '../prose.tsx'
import { useKeeperTheme } from '../use-keeper-theme.ts'
import { SharedJourneyLink } from './shared-journey-link.tsx'
import {
  getSharedDomainPath,
  isUnavailableError,
  useDomainName,
  useSharedKeeper,
  useSharedLogbook,
  useSharedMoments,
} from './shared-queries.ts'
import { DomainMediaProvider, SharedBy, SharedState } from './shared-states.tsx'

const LogbookYears = lazyComponent(
  async () => (await import('../logbook/logbook-card.tsx')).LogbookYears,
  <Skeleton className="h-64" />,
)
const ReadOnlyTimeline = lazyComponent(
  async () => (await import('./read-only-moment.tsx')).ReadOnlyTimeline,
  <Skeleton className="h-64" />,
)

type SharedKeeperData = NonNullable<ReturnType<typeof useSharedKeeper>['data']>

export function SharedKeeperPage() {
  const { domainId = '', keeperId = '' } = useParams()
  const query = useSharedKeeper(domainId, keeperId)
  const isUnavailable = !query.data || isUnavailableError(query.error)
  const availableKeeper = isUnavailable ? null : query.data
  // Undefined while loading, `null` if unavailable.
  useKeeperTheme(keeperId, query.isPending ? undefined : availableKeeper)
  const domainName = useDomainName(domainId)
  if (isUnavailable || domainName === undefined)
    return (
      <SharedState
        title="Keeper"
        query={query}
        wasLoaded={query.data !== undefined}
        back={{ to: getSharedDomainPath(domainId), label: 'All shared items' }}
        noun="keeper"
      />
    )
  return (
    <DomainMediaProvider domainId={domainId}>
      <SharedKeeperView key={keeperId} domainId={domainId} domainName={domainName} keeper={query.data} />
    </DomainMediaProvider>
  )
}

interface SharedKeeperViewProps {
  domainId: string
  domainName: string
  keeper: SharedKeeperData
}

function SharedKeeperView({ domainId, domainName, keeper }: SharedKeeperViewProps) {
  const [searchParams, setSearchParams] = useSearchParams()
  useSetParentCrumb(domainName, getSharedDomainPath(domainId))
  useCrumb(keeper.title)
  const tabs = keeper.parts.map((part) => {
    const count = part === 'sole' ? null : keeper.counts[part]
    return { id: part, label: sharedPartNames[part], ...(count !== null && { count }) }
  })
  const part = keeper.parts.find((candidate) => candidate === searchParams.get('part')) ?? keeper.parts[0] ?? 'moments'
  return (
    <>
      <header className="mb-6 flex items-start gap-4">
        <Cover seed={keeper.id} width={64} height={84} className="phone:h-[69px] phone:w-[52px]" />
        <div className="min-w-0">
          <h1 dir="auto" className="wrap-break-word">
            {keeper.title}
          </h1>
          <SharedBy {...keeper.owner} domainName={domainName}>
            {keeper.owner.isMe && (
              <Link to={getDashboardPath(keeper.id)} className="underline underline-offset-2">
                Open as owner
              </Link>
            )}
          </SharedBy>
          <Prose text={keeper.purpose} className="mt-2 max-w-[42rem]" />
        </div>
      </header>
      <Tabs
        label={keeper.title}
        tabs={tabs}
        value={part}
        onValueChange={(next) => setSearchParams({ part: next }, { replace: true })}
      >
        <SharedPartView part={part} domainId={domainId} keeper={keeper} />
      </Tabs>
    </>
  )
}

function SharedPartView({ part, domainId, keeper }: { part: SharedPart; domainId: string; keeper: SharedKeeperData }) {
  if (part === 'moments') return <SharedMoments domainId={domainId} keeper={keeper} />
  if (part === 'logbook') return <SharedLogbook domainId={domainId} keeper={keeper} />
  if (part === 'journeys') return <SharedJourneys domainId={domainId} journeys={keeper.journeysOfIt} />
  return <SharedSole statements={keeper.sole ?? []} />
}

interface SharedPartProps {
  domainId: string
  keeper: Pick<SharedKeeper, 'id' | 'title'>
}

function SharedMoments({ domainId, keeper }: SharedPartProps) {
  const query = useSharedMoments(domainId, keeper.id)
  if (!query.data)
    return (
      <QueryStatus query={query} title="Moments couldn’t be loaded" skeletonClassName="h-64">
        {query.error?.message}
      </QueryStatus>
    )
  if (query.items.length === 0)
    return (
      <EmptyPanel drawing="path" title="No moments yet">
        Moments added to <bdi>{keeper.title}</bdi> will appear here.
      </EmptyPanel>
    )
  return <ReadOnlyTimeline items={query.items} list={query} />
}

function SharedLogbook({ domainId, keeper }: SharedPartProps) {
  const query = useSharedLogbook(domainId, keeper.id)
  if (!query.data)
    return (
      <QueryStatus query={query} title="The logbook couldn’t be loaded" skeletonClassName="h-64">
        {query.error?.message}
      </QueryStatus>
    )
  if (query.data.length === 0)
    return <EmptyPanel title="No logbook entries yet">Logbook entries will appear here.</EmptyPanel>
  return <LogbookYears entries={query.data} />
}

function SharedJourneys({ domainId, journeys }: { domainId: string; journeys: SharedKeeperData['journeysOfIt'] }) {
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
            <SharedJourneyLink domainId={domainId} journey={journey} />
          </h2>
          <p className="ps-5 text-small text-muted-foreground">{statusLabels[journey.status]}</p>
          {journey.purpose && (
            <p dir="auto" className="mt-1 line-clamp-3 ps-5 font-serif text-body wrap-anywhere">
              {journey.purpose}
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

function SharedSole({ statements }: { statements: NonNullable<SharedKeeperData['sole']> }) {
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
          <li dir="auto" key={id} className="font-serif text-[1.125rem] leading-7 wrap-break-word">
            {text}
          </li>
        ))}
      </ul>
    </Card>
  )
}
