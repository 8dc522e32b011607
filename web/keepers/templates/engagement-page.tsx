import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { ApiError, getServerMessage } from '#web/api/api.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { getTemplatesPath } from '../keeper-addresses.ts'
import { KeeperFrame } from '../keeper-frame.tsx'
import { createTrialRun } from './run-position.ts'
import { RunView } from './run-view.tsx'
import { runQuery, templateQuery, templatesQuery } from './template-queries.ts'

/** `?run=` names the run; in a demo keeper `?template=` names a template to try. */
export function EngagementPage() {
  return (
    <KeeperFrame pageName="Engagement" getSubtitle={() => 'One question at a time. Stop whenever you like.'}>
      {(keeper, demo) => (demo ? <EngagementTrial /> : <EngagementRun keeper={keeper} />)}
    </KeeperFrame>
  )
}

function EngagementRun({ keeper }: { keeper: Keeper }) {
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
  if (run || runId === '' || isNotFound(error)) return <RunNotFound keeperId={keeper.id} />
  if (isPending) return <Skeleton className="mx-auto h-72 max-w-[640px]" />
  return (
    <ErrorPanel
      reason={error}
      title={getServerMessage(error) ?? 'Failed to load your answers'}
      onRetry={() => refetch()}
      retrying={isRefetching}
    >
      Your answers are safe.
    </ErrorPanel>
  )
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

/** Tries a template in a demo keeper without saving answers. */
export function EngagementTrial() {
  const [query] = useSearchParams()
  const templateId = query.get('template') ?? ''
  const templateResult = useQuery({ ...templateQuery(templateId), enabled: templateId !== '' })
  const templatesResult = useQuery(templatesQuery)
  const [template, allTemplates] = [templateResult.data, templatesResult.data]
  const failedQuery = [templateResult, templatesResult].find(
    ({ data, error }) => data === undefined && error && !isNotFound(error),
  )
  if (failedQuery)
    return (
      <ErrorPanel
        reason={failedQuery.error}
        title={getServerMessage(failedQuery.error) ?? 'Failed to load the template'}
        onRetry={() => failedQuery.refetch()}
        retrying={failedQuery.isFetching}
      >
        Nothing was changed.
      </ErrorPanel>
    )
  if (templateId !== '' && (templateResult.isPending || templatesResult.isPending))
    return <Skeleton className="mx-auto h-72 max-w-[640px]" />
  if (!template || template.kind === 'page' || !allTemplates) return <RunNotFound keeperId="demo" />
  return <RunView key={template.id} run={createTrialRun(template, allTemplates)} trial />
}

function RunNotFound({ keeperId }: { keeperId: string }) {
  return (
    <EmptyPanel
      drawing="letter"
      title="Nothing to answer here"
      action={<LinkButton to={getTemplatesPath(keeperId)}>This keeper’s templates</LinkButton>}
    >
      These answers were discarded, or the link is incomplete.
    </EmptyPanel>
  )
}
