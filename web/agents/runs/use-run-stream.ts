import { useCallback, useEffect, useRef, useState } from 'react'
import { runs } from '#contract/agents/runs.ts'
import { call } from '#web/api.ts'
import { batchText } from '../chat/batch-text.ts'
import { followRun, type RunBeginning } from '../chat/follow-run.ts'
import { reasonText } from './reason-text.ts'
import { afterEvent, begun, type RunView } from './run-view.ts'

/** A run seen as it happens: begun here, or followed by its id. Leaving the page does not end it. */
export function useRunStream() {
  const [view, setView] = useState<RunView>()
  const leave = useRef<AbortController>(undefined)

  const look = useCallback((beginning: RunBeginning) => {
    leave.current?.abort()
    const controller = new AbortController()
    leave.current = controller
    setView(begun('runId' in beginning ? beginning.runId : undefined))
    const batch = batchText((event) => setView((before) => before && afterEvent(before, event)))
    controller.signal.addEventListener('abort', batch.drop)
    return followRun(beginning, batch.hear, { signal: controller.signal }).catch((reason) => {
      if (controller.signal.aborted) return
      setView((before) => before && { ...before, status: 'error', reason: reasonText(reason, 'Failed to run agent') })
    })
  }, [])

  const forget = useCallback(() => {
    leave.current?.abort()
    setView(undefined)
  }, [])

  const runId = view?.runId
  const stop = useCallback(async () => {
    if (!runId) return
    setView((before) => before && { ...before, stopping: true })
    await call(runs.stop, { params: { runId } }).catch(() =>
      setView((before) => before && { ...before, stopping: false }),
    )
  }, [runId])

  useEffect(() => () => leave.current?.abort(), [])
  return { view, look, stop, forget }
}
