import { useCallback, useEffect, useRef, useState } from 'react'
import { runs } from '#contract/agents/runs.ts'
import { call, NetworkError } from '#web/api/api.ts'
import { createTextBatcher } from '../chat/batch-text.ts'
import { type FollowedEvent, followRun, type RunStart } from '../chat/follow-run.ts'
import { getReasonText } from './reason-text.ts'
import { applyEvent, createRunView, type RunView, resumeRunView, toMockView } from './run-view.ts'

/** Mock answer for a run that can't start offline. */
type OfflineAnswer = () => string

/** Starts or follows a run. Leaving the page doesn't stop it. */
export function useRunStream() {
  const [view, setView] = useState<RunView>()
  const abortRef = useRef<AbortController>(undefined)
  /** The visible run; a stop before its start applies once it starts. */
  const visibleRun = useRef<{ runId: string | undefined; isStopRequested: boolean }>(undefined)

  const stopRun = useCallback(async (runId: string) => {
    await call(runs.stop, { params: { runId } }).catch((problem) => {
      const reason = `The run couldn’t be stopped: ${getReasonText(problem)}`
      setView(
        (previous) => previous && { ...previous, stopping: false, ...(previous.status === 'running' && { reason }) },
      )
    })
  }, [])

  const startRun = useCallback(
    (runStart: RunStart, offline?: OfflineAnswer) => {
      abortRef.current?.abort()
      const controller = new AbortController()
      abortRef.current = controller
      const currentRun = { runId: 'runId' in runStart ? runStart.runId : undefined, isStopRequested: false }
      visibleRun.current = currentRun
      setView((previous) =>
        previous?.runId && previous.runId === currentRun.runId
          ? resumeRunView(previous)
          : createRunView(currentRun.runId),
      )
      const batcher = createTextBatcher((event) => setView((previous) => previous && applyEvent(previous, event)))
      controller.signal.addEventListener('abort', batcher.discard)
      const handleEvent = (event: FollowedEvent) => {
        batcher.push(event)
        if (event.event !== 'start') return
        currentRun.runId = event.data.run_id
        if (currentRun.isStopRequested) void stopRun(currentRun.runId)
      }
      return followRun(runStart, handleEvent, { signal: controller.signal }).catch((reason) => {
        if (controller.signal.aborted) return
        if (offline && reason instanceof NetworkError)
          return setView((previous) => previous && toMockView(previous, offline()))
        setView(
          (previous) =>
            previous && { ...previous, status: 'error', reason: getReasonText(reason, 'Failed to run agent') },
        )
      })
    },
    [stopRun],
  )

  const reset = useCallback(() => {
    abortRef.current?.abort()
    setView(undefined)
  }, [])

  const stop = useCallback(async () => {
    const currentRun = visibleRun.current
    if (!currentRun) return
    setView((previous) => previous && { ...previous, stopping: true, reason: undefined })
    if (currentRun.runId) await stopRun(currentRun.runId)
    else currentRun.isStopRequested = true
  }, [stopRun])

  useEffect(() => () => abortRef.current?.abort(), [])
  return { view, startRun, stop, forget: reset }
}
