import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, Fragment, type ReactNode } from 'react'
import { useParams } from 'react-router'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { isSampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { ApiError, call, getServerMessage, isNotFound } from '#web/api/api.ts'
import { useSetParentCrumb } from '#web/page/crumb.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { useDeferredQuery } from '#web/queries/use-deferred-query.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { IsByReader } from '#web/ui/text/written-text.tsx'
import { KeeperSectionNav } from './dashboard/keeper-section-nav.tsx'
import { getDashboardPath, newKeeperPath } from './keeper-addresses.ts'
import { keeperKey, keeperListQuery } from './keeper-queries.ts'
import { useKeeperTheme } from './use-keeper-theme.ts'

interface KeeperFrameProps {
  /** Used in the title `{keeper title} - {page name}`. */
  pageName: string
  subtitle?: ReactNode
  /** Replaces the default header; the keeper is undefined while it is loading. */
  renderHeader?: (keeper: Keeper | undefined) => ReactNode
  /** @param id as in the address */
  renderActions?: (id: string) => ReactNode
  /** Demo keepers can't be changed. */
  children: (keeper: Keeper, isDemo: boolean) => ReactNode
}

export function KeeperFrame({ pageName, subtitle, renderHeader, renderActions, children }: KeeperFrameProps) {
  const { id = '' } = useParams()
  const query = useDeferredQuery(useKeeper(id))
  const { data: keeper, error, isPending } = query
  useKeeperTheme(id, isPending ? undefined : (keeper ?? null))
  if (!keeper && !isPending) {
    return (
      <KeeperUnavailable
        pageName={pageName}
        query={query}
        title={`Error: ${error?.message || 'Failed to load keeper'}`}
        retryLabel="Try again"
        action={<LinkButton to="/keeper">Return to Keepers</LinkButton>}
      />
    )
  }
  return (
    <>
      <KeeperSectionNav id={id} keeper={keeper} />
      {renderHeader?.(keeper) ?? (
        <PageHeader
          title={<KeeperTitle keeper={keeper} pageName={pageName} />}
          subtitle={subtitle}
          actions={renderActions?.(id)}
          actionsBeside
        />
      )}
      {keeper && (
        <>
          <KeeperCrumb keeper={keeper} />
          <IsByReader value={true}>{children(keeper, isDemoKeeper(keeper.id))}</IsByReader>
        </>
      )}
    </>
  )
}

/** Shows a skeleton of the same height while the keeper is loading. */
export function KeeperTitle({ keeper, pageName }: { keeper: Keeper | undefined; pageName: string }) {
  return (
    <span className="block text-h2">
      {keeper ? (
        <>
          <span className="text-muted-foreground phone:block">
            <bdi>{keeper.title}</bdi> <span className="phone:sr-only">- </span>
          </span>
          {pageName}
        </>
      ) : (
        <>
          <span className="sr-only">{pageName}</span>
          <span className="block animate-late">
            <Skeleton className="h-[1lh] w-80 max-w-full phone:h-[2lh]" />
          </span>
        </>
      )}
    </span>
  )
}

export function KeeperCrumb({ keeper }: { keeper: Keeper }) {
  useSetParentCrumb(keeper.title, getDashboardPath(keeper.id))
  return null
}

interface KeeperUnavailableProps extends Pick<ComponentProps<typeof QueryError>, 'title' | 'retryLabel' | 'action'> {
  pageName: string
  query: ReturnType<typeof useKeeper>
  /** Label of the link that is shown if the keeper doesn't exist. */
  backLabel?: string | undefined
}

/** Replaces a keeper that is missing or couldn't be loaded. */
function KeeperUnavailable({ pageName, query, backLabel, ...panel }: KeeperUnavailableProps) {
  if (isNotFound(query.error)) return <KeeperMissing pageName={pageName} error={query.error} backLabel={backLabel} />
  return (
    <>
      <PageHeader title={pageName} />
      <QueryError
        query={query}
        title={getServerMessage(query.error) ?? 'Failed to load keeper'}
        action={<LinkButton to="/keeper">Back to All Keepers</LinkButton>}
        {...panel}
      >
        Nothing you wrote is affected.
      </QueryError>
    </>
  )
}

interface KeeperLoaderProps extends Pick<KeeperUnavailableProps, 'pageName' | 'backLabel'> {
  /** Empty if the URL contains no keeper id. */
  id: string
  children: (keeper: Keeper) => ReactNode
}

/** Loads a keeper for a page with its own header, and applies its colors. */
export function KeeperLoader({ id, ...props }: KeeperLoaderProps) {
  if (id === '') return <KeeperMissing error={null} {...props} />
  return <NamedKeeperLoader key={id} id={id} {...props} />
}

function NamedKeeperLoader({ id, pageName, backLabel, children }: KeeperLoaderProps) {
  const query = useKeeper(id)
  const { data: keeper, isPending } = query
  useKeeperTheme(id, isPending ? undefined : (keeper ?? null))
  if (!keeper && !isPending) return <KeeperUnavailable pageName={pageName} query={query} backLabel={backLabel} />
  return (
    <>
      <KeeperSectionNav id={id} keeper={keeper} />
      {keeper ? (
        <Fragment key={keeper.id}>
          <KeeperCrumb keeper={keeper} />
          {children(keeper)}
        </Fragment>
      ) : (
        <PageHeader title={<KeeperTitle keeper={keeper} pageName={pageName} />} subtitle={<>&nbsp;</>} />
      )}
    </>
  )
}

interface KeeperMissingProps {
  /** Absent when the page has its own heading. */
  pageName?: string
  error: unknown
  backLabel?: string | undefined
}

/** Shown when the keeper doesn't exist, isn't accessible, or the person has none yet. */
export function KeeperMissing({ pageName, error, backLabel = 'Return to Keepers' }: KeeperMissingProps) {
  return (
    <>
      {pageName && <PageHeader title={pageName} />}
      {error instanceof NoKeeperError ? (
        <EmptyPanel
          drawing="leaf"
          title="You have no keeper yet"
          action={
            <LinkButton to={newKeeperPath} variant="primary">
              Create your first keeper
            </LinkButton>
          }
        >
          A keeper holds one part of your life: a house, a year, a piece of work. This page will show your first one.
        </EmptyPanel>
      ) : (
        <EmptyPanel
          drawing="drawer"
          title="Keeper not found"
          action={<LinkButton to="/keeper">{backLabel}</LinkButton>}
        >
          The requested keeper could not be found or you don't have permission to view it.
        </EmptyPanel>
      )}
    </>
  )
}

/** Thrown when an alias such as `1` refers to the person's own keeper and they have none. */
export class NoKeeperError extends ApiError {
  override name = 'NoKeeperError'
  constructor() {
    super({ status: 404, statusText: 'Not Found' }, JSON.stringify({ error: 'Keeper not found' }))
  }
}

const firstKeeperAlias = '1'
const newestKeeperAlias = 'new-keeper-id'
const keeperListStaleMs = 1_000

/** @param id from the URL: a keeper's id, a demo keeper's id, or an alias of the person's first or newest keeper */
export function useKeeper(id: string) {
  const queryClient = useQueryClient()
  return useQuery<Keeper>({
    queryKey: keeperKey(id),
    queryFn: async ({ signal, client }) => {
      if (id === firstKeeperAlias || id === newestKeeperAlias) return fetchKeeperByAlias(client, id)
      return call(keepers.show, { params: { id }, signal })
    },
    placeholderData: () => queryClient.getQueryData(keeperListQuery.queryKey)?.find((keeper) => keeper.id === id),
    // Opening a demo keeper resets it.
    ...(isDemoKeeper(id) && { staleTime: 'static', gcTime: 0 }),
  })
}

type KeeperAlias = typeof firstKeeperAlias | typeof newestKeeperAlias

/** Uses the list, so that having no keeper isn't reported as a missing one. */
async function fetchKeeperByAlias(client: QueryClient, alias: KeeperAlias): Promise<Keeper> {
  const allKeepers = await client.fetchQuery({ ...keeperListQuery, staleTime: keeperListStaleMs })
  const newestKeeper = allKeepers.findLast((candidate) => !isSampleKeeper(candidate)) ?? allKeepers.at(-1)
  const keeper = alias === firstKeeperAlias ? allKeepers[0] : newestKeeper
  if (!keeper) throw new NoKeeperError()
  return keeper
}
