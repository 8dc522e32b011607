import { useCallback, useRef, useState } from 'react'
import { runs } from '#contract/agents/runs.ts'
import { call } from '#web/api/api.ts'
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
  onAccepted: () => void
  onNotice: (notice: string) => void
}

/** Follows, starts and stops one run at a time. Callbacks must be stable. */
export function useFollowedRun({ onEvent, onAccepted, onNotice }: FollowedRunOptions) {
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
    const currentRun = followed.current
    if (!currentRun) return
    setStopping(true)
    if (currentRun.runId) await stopRun(currentRun.runId)
    else currentRun.isStopRequested = true
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
      const currentRun: FollowedRun = { controller, runId, isLeft: false, isStopRequested: false }
      followed.current = currentRun
      setStopping(false)
      const batcher = createTextBatcher(onEvent)
      controller.signal.addEventListener('abort', batcher.discard)
      const handleEvent = (event: FollowedEvent) => {
        if (event.event === 'start') {
          currentRun.runId = event.data.run_id
          onAccepted()
          if (currentRun.isStopRequested) void stopRun(currentRun.runId)
        }
        if (currentRun.isLeft) controller.abort()
        else batcher.push(event)
      }
      return { followed: currentRun, finished: followRun(runStart, handleEvent, { signal: controller.signal }) }
    },
    [onEvent, onAccepted, leave, stopRun],
  )

  const abandon = useCallback(() => followed.current?.controller.abort(), [])

  return { follow, leave, abandon, stop, stopping }
}
