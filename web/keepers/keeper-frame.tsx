import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { ApiError } from '#web/api/api.ts'
import { useCrumbAbove } from '#web/shell/crumb.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { IsOwnText } from '#web/ui/text/written-text.tsx'
import { getDashboardPath } from './keeper-addresses.ts'
import { KeeperMissing } from './keeper-missing.tsx'
import { useKeeper } from './use-keeper.ts'
import { useKeeperTheme } from './use-keeper-theme.ts'

interface KeeperFrameProps {
  /** Used in the title `{keeper title} - {page name}`. */
  pageName: string
  /** Replaces the default title. */
  getTitle?: (keeper: Keeper) => ReactNode
  getSubtitle?: (keeper: Keeper) => ReactNode
  /** Replaces the default header with its back link. */
  renderHeader?: (keeper: Keeper) => ReactNode
  renderActions?: (keeper: Keeper) => ReactNode
  /** `demo` keepers can't be changed. */
  children: (keeper: Keeper, demo: boolean) => ReactNode
}

export function KeeperFrame({
  pageName,
  getTitle,
  getSubtitle,
  renderHeader,
  renderActions,
  children,
}: KeeperFrameProps) {
  const { id = '' } = useParams()
  const { data: keeper, error, isPending, refetch, isRefetching } = useKeeper(id)
  useKeeperTheme(id, isPending ? undefined : (keeper ?? null))
  if (isPending) {
    return (
      <SkeletonGroup className="flex flex-col gap-5">
        <Skeleton className="h-10 max-w-96" />
        <Skeleton className="h-64" />
      </SkeletonGroup>
    )
  }
  if (!keeper) {
    if (error instanceof ApiError && error.status === 404) return <KeeperMissing pageName={pageName} error={error} />
    return (
      <>
        <PageHeader title={pageName} />
        <ErrorPanel
          reason={error}
          title={`Error: ${error?.message || 'Failed to load keeper'}`}
          onRetry={() => refetch()}
          retryLabel="Try again"
          retrying={isRefetching}
          action={<LinkButton to="/keeper">Return to Keepers</LinkButton>}
        >
          Nothing you wrote is affected.
        </ErrorPanel>
      </>
    )
  }
  return (
    <>
      <KeeperCrumb keeper={keeper} />
      {renderHeader?.(keeper) ?? (
        <PageHeader
          title={getTitle?.(keeper) ?? `${keeper.title} - ${pageName}`}
          subtitle={getSubtitle?.(keeper)}
          actions={
            <>
              <LinkButton to="/keeper" variant="plain" icon={<ArrowLeft aria-hidden size={15} />}>
                Back to Keepers
              </LinkButton>
              <span className="hidden phone:block">
                <LinkButton to={getDashboardPath(keeper.id)} variant="plain">
                  Dashboard
                </LinkButton>
              </span>
              {renderActions?.(keeper)}
            </>
          }
        />
      )}
      <IsOwnText value={true}>{children(keeper, isDemoKeeper(keeper.id))}</IsOwnText>
    </>
  )
}

function KeeperCrumb({ keeper }: { keeper: Keeper }) {
  useCrumbAbove(keeper.title, getDashboardPath(keeper.id))
  return null
}
