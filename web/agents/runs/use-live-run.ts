import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { RunDetail } from '#contract/agents/runs.ts'
import { logsKey, runKey, type useRunDetail } from '../agent-queries.ts'
import { useRunStream } from './use-run-stream.ts'

/** Follows the user's own running run and refetches it when finished. `dataUpdatedAt` is when the server last reported. */
export function useLiveRun({ data: run, dataUpdatedAt }: Pick<RunQuery, 'data' | 'dataUpdatedAt'>) {
  const queries = useQueryClient()
  const { view, look, stop } = useRunStream()
  const followed = run && run.status === 'running' && isOwn(run) ? run.id : undefined
  useEffect(() => {
    if (followed) void look({ runId: followed })
  }, [followed, look])

  const over = view !== undefined && view.status !== 'running'
  const runId = view?.runId
  const overAt = useRef(0)
  useEffect(() => {
    if (!over || !runId) return
    overAt.current = Date.now()
    void queries.invalidateQueries({ queryKey: runKey(runId) })
    void queries.invalidateQueries({ queryKey: logsKey })
  }, [over, runId, queries])

  // Following was given up, but the server reports the run as still running.
  const isLost = view?.status === 'interrupted' && runId === followed
  useEffect(() => {
    if (isLost && followed && dataUpdatedAt > overAt.current) void look({ runId: followed })
  }, [isLost, followed, dataUpdatedAt, look])
  return { view: followed ? view : undefined, stop }
}
type RunQuery = ReturnType<typeof useRunDetail>

/** Only the person who ran it gets the settings. */
export const isOwn = (run: RunDetail) => run.model_settings !== null
