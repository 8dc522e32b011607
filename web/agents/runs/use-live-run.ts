import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { RunDetail, RunSpan } from '#contract/agents/runs.ts'
import { useNow } from '#web/ui/hooks/use-now.ts'
import { logsKey, runKey, type useRunDetail } from '../agent-queries.ts'
import { useRun } from './run-store.ts'
import type { RunView } from './run-view.ts'

/** Follows the user's own running run and refetches it when finished. */
export function useLiveRun({ data: run, dataUpdatedAt }: Pick<RunQuery, 'data' | 'dataUpdatedAt'>) {
  const { view, start, stop } = useRun()
  const followedId = run && run.status === 'running' && isOwnRun(run) ? run.id : undefined
  // Runs again whenever the run is reported as running, in case following was given up.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (followedId) void start({ runId: followedId })
  }, [followedId, dataUpdatedAt, start])
  useRefetchFinishedRun(view)
  return { view: followedId ? view : undefined, stop }
}
type RunQuery = ReturnType<typeof useRunDetail>

export function useRefetchFinishedRun(view: RunView | undefined): void {
  const queryClient = useQueryClient()
  const finishedId = view && view.status !== 'running' ? view.runId : undefined
  useEffect(() => {
    if (!finishedId) return
    void queryClient.invalidateQueries({ queryKey: runKey(finishedId) })
    void queryClient.invalidateQueries({ queryKey: logsKey })
  }, [finishedId, queryClient])
}

/** Only the person who ran it gets the settings. */
export const isOwnRun = (run: RunDetail) => run.model_settings !== null

/** The run's spans. While it runs, streamed spans add the end times; only fetched ones have input and output. */
export function getSpans(run: Pick<RunDetail, 'status' | 'spans'>, liveSpans: readonly RunSpan[] = []): RunSpan[] {
  if (run.status !== 'running') return run.spans
  const liveSpansById = new Map(liveSpans.map((span) => [span.id, span]))
  const fetchedIds = new Set(run.spans.map((span) => span.id))
  return [
    ...run.spans.map((span) => {
      const liveSpan = liveSpansById.get(span.id)
      if (!liveSpan || span.ended_ms !== null) return span
      return { ...span, ended_ms: liveSpan.ended_ms, failure: liveSpan.failure, usage: liveSpan.usage ?? span.usage }
    }),
    ...liveSpans.filter((span) => !fetchedIds.has(span.id)),
  ]
}

type TimedRun = Pick<RunDetail, 'status' | 'created_at' | 'execution_time_ms'>

export function useElapsedMs(run: TimedRun | undefined): number {
  const running = run?.status === 'running'
  const now = useNow(running, 200)
  return running ? Math.max(now - Date.parse(run.created_at), 0) : (run?.execution_time_ms ?? 0)
}
