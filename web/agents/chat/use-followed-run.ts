import { useCallback, useRef, useState } from 'react'
import { runs } from '#contract/agents/runs.ts'
import { call } from '#web/api.ts'
import { getReasonText } from '../runs/reason-text.ts'
import { createTextBatcher } from './batch-text.ts'
import { type FollowedEvent, followRun, type RunStart } from './follow-run.ts'

/** The followed run, or a request that hasn't started one yet. */
interface FollowedRun {
  controller: AbortController
  runId: string | undefined
  isLeft: boolean
  isStopRequested: boolean
}

interface FollowedRunOptions {
  onEvent: (event: FollowedEvent) => void
  /** The server has the text, even if the run was left before it started. */
  taken: () => void
  onNotice: (notice: string) => void
}

/** Follows, starts and stops one run at a time. Callbacks must be stable. */
export function useFollowedRun({ onEvent, taken, onNotice }: FollowedRunOptions) {
  const followed = useRef<FollowedRun>(undefined)
  const [stopping, setStopping] = useState(false)

  const stopRun = useCallback(
    (runId: string) =>
      call(runs.stop, { params: { runId } }).catch((reason) => {
        setStopping(false)
        onNotice(`The answer couldn’t be stopped: ${getReasonText(reason)}`)
      }),
    [onNotice],
  )

  /** A run that hasn't started is stopped once it does. */
  async function stop() {
    const current = followed.current
    if (!current) return
    setStopping(true)
    if (current.runId) await stopRun(current.runId)
    else current.isStopRequested = true
  }

  /** The answer continues in its session. A request that hasn't started stays open until accepted or refused. */
  const leave = useCallback(() => {
    if (!followed.current) return
    followed.current.isLeft = true
    if (followed.current.runId) followed.current.controller.abort()
  }, [])

  const follow = useCallback(
    (runStart: RunStart) => {
      leave()
      const controller = new AbortController()
      const runId = 'runId' in runStart ? runStart.runId : undefined
      const current: FollowedRun = { controller, runId, isLeft: false, isStopRequested: false }
      followed.current = current
      setStopping(false)
      const batch = createTextBatcher(onEvent)
      controller.signal.addEventListener('abort', batch.drop)
      const handleEvent = (event: FollowedEvent) => {
        if (event.event === 'start') {
          current.runId = event.data.run_id
          taken()
          if (current.isStopRequested) void stopRun(current.runId)
        }
        if (current.isLeft) controller.abort()
        else batch.push(event)
      }
      return { followed: current, finished: followRun(runStart, handleEvent, { signal: controller.signal }) }
    },
    [onEvent, taken, leave, stopRun],
  )

  const abandon = useCallback(() => followed.current?.controller.abort(), [])

  return { follow, leave, abandon, stop, stopping }
}
