import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { engagementTemplates, type TemplateRun } from '#contract/keepers/engagement-templates.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { getEngagementPath, invalidateTemplates, openRunsQuery } from './template-queries.ts'

interface OpenRunsProps {
  keeperId: string
  /** Receives a function that restores the run. */
  onDiscarded: (undo: () => void) => void
}

/** Unfinished runs of a keeper. Renders nothing without any. */
export function OpenRuns({ keeperId, onDiscarded }: OpenRunsProps) {
  const queryClient = useQueryClient()
  const { data: openRuns = [] } = useQuery(openRunsQuery(keeperId))
  const [failure, setFailure] = useState<string>()

  async function discard(run: TemplateRun) {
    setFailure(undefined)
    try {
      await call(engagementTemplates.abandon, { params: { runId: run.id } })
      onDiscarded(() => void restoreRun(run))
      await invalidateTemplates(queryClient)
    } catch (reason) {
      setFailure(getServerMessage(reason) ?? 'Your answers couldn’t be discarded.')
    }
  }
  // Starting again with the same id restores the discarded run.
  async function restoreRun(run: TemplateRun) {
    try {
      await call(engagementTemplates.begin, { params: { x: run.template.id }, body: { keeperId, id: run.id } })
      await invalidateTemplates(queryClient)
    } catch (reason) {
      setFailure(getServerMessage(reason) ?? 'Your answers couldn’t be restored.')
    }
  }

  if (openRuns.length === 0 && !failure) return null
  return (
    <section aria-labelledby="open-runs" className="mb-6">
      <h2 id="open-runs" className="mb-2">
        Unfinished
      </h2>
      {failure && <Banner tone="error">{failure}</Banner>}
      <ul aria-label="Unfinished" className="border-t border-hairline">
        {openRuns.map((run) => (
          <li key={run.id} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-hairline py-2.5">
            <span className="min-w-0 flex-1 basis-48">
              <span className="block font-medium wrap-break-word">{run.template.label}</span>
              <span className="block text-small text-muted-foreground">
                Step {Math.min(run.step + 1, run.steps.length)} of {run.steps.length}
                {run.waitUntil && (
                  <>
                    , opens <Time value={run.waitUntil} />
                  </>
                )}
              </span>
            </span>
            <LinkButton
              size="small"
              to={getEngagementPath(keeperId, run.id)}
              aria-label={`Continue ${run.template.label}`}
            >
              Continue
            </LinkButton>
            <IconButton size="small" label={`Discard ${run.template.label}`} onClick={() => discard(run)}>
              <Trash2 aria-hidden size={15} />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
