import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { RunDetail } from '#contract/agents/runs.ts'
import { logsKey, runKey, type useRunDetail } from '../agent-queries.ts'
import { useRunStream } from './use-run-stream.ts'

/** Follows the user's own running run and refetches it when finished. `dataUpdatedAt` is when the server last reported. */
export function useLiveRun({ data: run, dataUpdatedAt }: Pick<RunQuery, 'data' | 'dataUpdatedAt'>) {
  const queryClient = useQueryClient()
  const { view, startRun, stop } = useRunStream()
  const followedId = run && run.status === 'running' && isOwnRun(run) ? run.id : undefined
  useEffect(() => {
    if (followedId) void startRun({ runId: followedId })
  }, [followedId, startRun])

  const isFinished = view !== undefined && view.status !== 'running'
  const runId = view?.runId
  const finishedAt = useRef(0)
  useEffect(() => {
    if (!isFinished || !runId) return
    finishedAt.current = Date.now()
    void queryClient.invalidateQueries({ queryKey: runKey(runId) })
    void queryClient.invalidateQueries({ queryKey: logsKey })
  }, [isFinished, runId, queryClient])

  // Following was given up, but the server reports the run as still running.
  const isLost = view?.status === 'interrupted' && runId === followedId
  useEffect(() => {
    if (isLost && followedId && dataUpdatedAt > finishedAt.current) void startRun({ runId: followedId })
  }, [isLost, followedId, dataUpdatedAt, startRun])
  return { view: followedId ? view : undefined, stop }
}
type RunQuery = ReturnType<typeof useRunDetail>

/** Only the person who ran it gets the settings. */
export const isOwnRun = (run: RunDetail) => run.model_settings !== null
