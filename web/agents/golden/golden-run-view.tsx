import { useState } from 'react'
import { type GoldenRun, goldenQuestions } from '#contract/agents/golden-questions.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import { formatFullTime } from '../runs/log-times.ts'
import { getReasonText } from '../runs/reason-text.ts'
import { countAnswered, getOutcomeText } from './golden-outcome.ts'
import { useCacheGoldenRun } from './golden-queries.ts'
import { GoldenResults } from './golden-results.tsx'

const statusPrefixes = { done: '', stopped: 'Stopped. ', interrupted: 'Cut off when the server stopped. ' } as const

export function GoldenRunView({ agentId, run }: { agentId: string; run: GoldenRun }) {
  const cacheRun = useCacheGoldenRun(agentId)
  const [stopping, setStopping] = useState(false)
  const [problem, setProblem] = useState<string>()
  const answeredCount = countAnswered(run)

  async function stop() {
    setStopping(true)
    setProblem(undefined)
    try {
      cacheRun(await call(goldenQuestions.stopRun, { params: { agentId, goldenRunId: run.id } }))
    } catch (reason) {
      setProblem(getReasonText(reason))
    } finally {
      setStopping(false)
    }
  }

  return (
    <>
      <div className="mb-3">
        {run.status === 'running' ? (
          <div className="flex flex-wrap items-center gap-3">
            <div className="min-w-40 flex-1">
              <p role="status" className="mb-1.5 text-ui tabular-nums">
                {answeredCount} of {run.total} answered
              </p>
              <ProgressBar
                label="Golden questions answered"
                value={answeredCount}
                max={run.total}
                valueText={`${answeredCount} of ${run.total}`}
              />
            </div>
            <Button size="small" busy={stopping} onClick={stop}>
              Stop
            </Button>
          </div>
        ) : (
          <p role="status" className="text-ui tabular-nums">
            {statusPrefixes[run.status]}
            <strong className="font-semibold">{getOutcomeText(run)}</strong>{' '}
            <span className="text-muted-foreground">
              {run.models ? 'Compared' : run.unsaved ? 'With changes,' : 'Saved version,'}{' '}
              {formatFullTime(run.created_at)}
            </span>
          </p>
        )}
        {problem && (
          <p role="alert" className="mt-2 text-ui text-destructive">
            {problem}
          </p>
        )}
      </div>
      <GoldenResults run={run} />
    </>
  )
}
