import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { ApiError } from '#web/api.ts'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { templatesAddress } from '../keeper-addresses.ts'
import { KeeperFrame } from '../keeper-frame.tsx'
import { createTrialRun } from './run-position.ts'
import { RunView } from './run-view.tsx'
import { runQuery, templateQuery, templatesQuery } from './template-queries.ts'

/** `?run=` names the run; in a demo keeper `?template=` names a template to try. */
export function EngagementPage() {
  return (
    <KeeperFrame pageName="Engagement" sub={() => 'One question at a time. Stop whenever you like.'}>
      {(keeper, demo) => (demo ? <Trial /> : <Run keeper={keeper} />)}
    </KeeperFrame>
  )
}

function Run({ keeper }: { keeper: Keeper }) {
  const [query] = useSearchParams()
  const runId = query.get('run') ?? ''
  const {
    data: run,
    error,
    isPending,
    refetch,
    isRefetching,
  } = useQuery({
    ...runQuery(keeper.id, runId),
    enabled: runId !== '',
  })
  if (run && run.keeperId === keeper.id) return <RunView key={run.id} run={run} />
  if (run || runId === '' || isNotFound(error)) return <NoRun keeperId={keeper.id} />
  if (isPending) return <Skeleton className="mx-auto h-72 max-w-[640px]" />
  return (
    <ErrorPanel
      reason={error}
      title={(error instanceof ApiError && error.serverMessage) || 'Failed to load your answers'}
      onRetry={() => refetch()}
      retrying={isRefetching}
    >
      Your answers are safe.
    </ErrorPanel>
  )
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

/** Tries a template in a demo keeper without saving answers. */
export function Trial() {
  const [query] = useSearchParams()
  const templateId = query.get('template') ?? ''
  const singleQuery = useQuery({ ...templateQuery(templateId), enabled: templateId !== '' })
  const list = useQuery(templatesQuery)
  const [template, all] = [singleQuery.data, list.data]
  const failed = [singleQuery, list].find(({ data, error }) => data === undefined && error && !isNotFound(error))
  if (failed)
    return (
      <ErrorPanel
        reason={failed.error}
        title={(failed.error instanceof ApiError && failed.error.serverMessage) || 'Failed to load the template'}
        onRetry={() => failed.refetch()}
        retrying={failed.isFetching}
      >
        Nothing was changed.
      </ErrorPanel>
    )
  if (templateId !== '' && (singleQuery.isPending || list.isPending))
    return <Skeleton className="mx-auto h-72 max-w-[640px]" />
  if (!template || template.kind === 'page' || !all) return <NoRun keeperId="demo" />
  return <RunView key={template.id} run={createTrialRun(template, all)} trial />
}

function NoRun({ keeperId }: { keeperId: string }) {
  return (
    <EmptyPanel
      drawing="letter"
      title="Nothing to answer here"
      action={<LinkButton to={templatesAddress(keeperId)}>This keeper’s templates</LinkButton>}
    >
      These answers were discarded, or the link is incomplete.
    </EmptyPanel>
  )
}
