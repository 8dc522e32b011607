import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { getServerMessage, isNotFound } from '#web/api/api.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { getTemplatesPath } from '../keeper-addresses.ts'
import { KeeperFrame } from '../keeper-frame.tsx'
import { createTrialRun } from './run-position.ts'
import { TemplateRunView } from './run-view.tsx'
import { runQuery, templateQuery, templatesQuery } from './template-queries.ts'

/** `?run=` names the run; in a demo keeper `?template=` names a template to try. */
export function EngagementPage() {
  return (
    <KeeperFrame pageName="Engagement" subtitle="One question at a time. Stop whenever you like.">
      {(keeper, isDemo) => (isDemo ? <EngagementTrial /> : <EngagementRun keeper={keeper} />)}
    </KeeperFrame>
  )
}

function EngagementRun({ keeper }: { keeper: Keeper }) {
  const [query] = useSearchParams()
  const runId = query.get('run') ?? ''
  const runResult = useQuery({ ...runQuery(keeper.id, runId), enabled: runId !== '' })
  const run = runResult.data
  if (run && run.keeperId === keeper.id) return <TemplateRunView key={run.id} run={run} />
  if (run || runId === '' || isNotFound(runResult.error)) return <RunNotFound keeperId={keeper.id} />
  return (
    <QueryStatus
      query={runResult}
      title={getServerMessage(runResult.error) ?? 'Failed to load your answers'}
      skeletonClassName={questionSkeleton}
    >
      Your answers are safe.
    </QueryStatus>
  )
}

const questionSkeleton = 'mx-auto h-72 max-w-[640px]'

/** Tries a template in a demo keeper without saving answers. */
export function EngagementTrial() {
  const [query] = useSearchParams()
  const templateId = query.get('template') ?? ''
  const templateResult = useQuery({ ...templateQuery(templateId), enabled: templateId !== '' })
  const templatesResult = useQuery(templatesQuery)
  const [template, allTemplates] = [templateResult.data, templatesResult.data]
  const missingResult = [templateResult, templatesResult].find(
    ({ data, error }) => data === undefined && !isNotFound(error),
  )
  if (templateId !== '' && missingResult)
    return (
      <QueryStatus
        query={missingResult}
        title={getServerMessage(missingResult.error) ?? 'Failed to load the template'}
        skeletonClassName={questionSkeleton}
      >
        Nothing was changed.
      </QueryStatus>
    )
  if (!template || template.kind === 'page' || !allTemplates) return <RunNotFound keeperId="demo" />
  return <TemplateRunView key={template.id} run={createTrialRun(template, allTemplates)} isTrial />
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
