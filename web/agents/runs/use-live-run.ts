import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { RunDetail } from '#contract/agents/runs.ts'
import { logsKey, runKey } from '../agent-queries.ts'
import { useRunStream } from './use-run-stream.ts'

/** Follows one's own run while it goes on, and asks for it again when it is over. Other people's cannot be followed. */
export function useLiveRun(run: RunDetail | undefined) {
  const queries = useQueryClient()
  const { view, look, stop } = useRunStream()
  const followed = run && run.status === 'running' && isOwn(run) ? run.id : undefined
  useEffect(() => {
    if (followed) void look({ runId: followed })
  }, [followed, look])

  const over = view !== undefined && view.status !== 'running'
  const runId = view?.runId
  useEffect(() => {
    if (!over || !runId) return
    void queries.invalidateQueries({ queryKey: runKey(runId) })
    void queries.invalidateQueries({ queryKey: logsKey })
  }, [over, runId, queries])
  return { view: followed ? view : undefined, stop }
}

/** The settings are told to who ran it, and to nobody else. */
export const isOwn = (run: RunDetail) => run.model_settings !== null
