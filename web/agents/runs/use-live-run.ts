import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { RunDetail } from '#contract/agents/runs.ts'
import { logsKey, runKey, type useRunDetail } from '../agent-queries.ts'
import { useRunStream } from './use-run-stream.ts'

/**
 * Follows one's own run while it goes on, and asks for it again when it is over. Other people's cannot be followed.
 * `dataUpdatedAt`: when the server said how the run stands.
 */
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

  // The server was away for longer than it was waited for; now it says that the run goes on.
  const isLost = view?.status === 'interrupted' && runId === followed
  useEffect(() => {
    if (isLost && followed && dataUpdatedAt > overAt.current) void look({ runId: followed })
  }, [isLost, followed, dataUpdatedAt, look])
  return { view: followed ? view : undefined, stop }
}
type RunQuery = ReturnType<typeof useRunDetail>

/** The settings are told to who ran it, and to nobody else. */
export const isOwn = (run: RunDetail) => run.model_settings !== null
