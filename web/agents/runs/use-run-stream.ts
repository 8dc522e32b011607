import { useCallback, useEffect, useRef, useState } from 'react'
import { runs } from '#contract/agents/runs.ts'
import { call, Unreachable } from '#web/api.ts'
import { batchText } from '../chat/batch-text.ts'
import { type FollowedEvent, followRun, type RunBeginning } from '../chat/follow-run.ts'
import { reasonText } from './reason-text.ts'
import { afterEvent, begun, type RunView, standingIn, takenUp } from './run-view.ts'

/** Mock answer for a run that can't start offline. */
type OfflineAnswer = () => string

/** Starts or follows a run. Leaving the page doesn't stop it. */
export function useRunStream() {
  const [view, setView] = useState<RunView>()
  const leave = useRef<AbortController>(undefined)
  /** The visible run; a stop before its start applies once it starts. */
  const seen = useRef<{ runId: string | undefined; stopWanted: boolean }>(undefined)

  const stopRun = useCallback(async (runId: string) => {
    await call(runs.stop, { params: { runId } }).catch((problem) => {
      const reason = `The run couldn’t be stopped: ${reasonText(problem)}`
      setView((before) => before && { ...before, stopping: false, ...(before.status === 'running' && { reason }) })
    })
  }, [])

  const look = useCallback(
    (beginning: RunBeginning, offline?: OfflineAnswer) => {
      leave.current?.abort()
      const controller = new AbortController()
      leave.current = controller
      const own = { runId: 'runId' in beginning ? beginning.runId : undefined, stopWanted: false }
      seen.current = own
      setView((before) => (before?.runId && before.runId === own.runId ? takenUp(before) : begun(own.runId)))
      const batch = batchText((event) => setView((before) => before && afterEvent(before, event)))
      controller.signal.addEventListener('abort', batch.drop)
      const hear = (event: FollowedEvent) => {
        batch.hear(event)
        if (event.event !== 'start') return
        own.runId = event.data.run_id
        if (own.stopWanted) void stopRun(own.runId)
      }
      return followRun(beginning, hear, { signal: controller.signal }).catch((reason) => {
        if (controller.signal.aborted) return
        if (offline && reason instanceof Unreachable)
          return setView((before) => before && standingIn(before, offline()))
        setView((before) => before && { ...before, status: 'error', reason: reasonText(reason, 'Failed to run agent') })
      })
    },
    [stopRun],
  )

  const forget = useCallback(() => {
    leave.current?.abort()
    setView(undefined)
  }, [])

  const stop = useCallback(async () => {
    const own = seen.current
    if (!own) return
    setView((before) => before && { ...before, stopping: true, reason: undefined })
    if (own.runId) await stopRun(own.runId)
    else own.stopWanted = true
  }, [stopRun])

  useEffect(() => () => leave.current?.abort(), [])
  return { view, look, stop, forget }
}
