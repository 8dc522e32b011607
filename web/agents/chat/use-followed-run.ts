import { useCallback, useRef, useState } from 'react'
import { runs } from '#contract/agents/runs.ts'
import { call } from '#web/api.ts'
import { reasonText } from '../runs/reason-text.ts'
import { batchText } from './batch-text.ts'
import { type FollowedEvent, followRun, type RunBeginning } from './follow-run.ts'

/** The followed run, or a request that hasn't started one yet. */
interface Followed {
  controller: AbortController
  /** Undefined until the run starts. */
  runId: string | undefined
  isLeft: boolean
  stopWanted: boolean
}

interface FollowedRunOptions {
  hear: (event: FollowedEvent) => void
  /** The server has the text, even if the run was left before it started. */
  taken: () => void
  tell: (notice: string) => void
}

/** Follows, starts and stops one run at a time. Callbacks must be stable. */
export function useFollowedRun({ hear, taken, tell }: FollowedRunOptions) {
  const followed = useRef<Followed>(undefined)
  const [stopping, setStopping] = useState(false)

  const stopRun = useCallback(
    (runId: string) =>
      call(runs.stop, { params: { runId } }).catch((reason) => {
        setStopping(false)
        tell(`The answer couldn’t be stopped: ${reasonText(reason)}`)
      }),
    [tell],
  )

  /** A run that hasn't started is stopped once it does. */
  async function stop() {
    const own = followed.current
    if (!own) return
    setStopping(true)
    if (own.runId) await stopRun(own.runId)
    else own.stopWanted = true
  }

  /**
   * Stops following; the answer continues in its session. A request that hasn't started stays open until accepted or
   * refused.
   */
  const leave = useCallback(() => {
    if (!followed.current) return
    followed.current.isLeft = true
    if (followed.current.runId) followed.current.controller.abort()
  }, [])

  const follow = useCallback(
    (beginning: RunBeginning) => {
      leave()
      const controller = new AbortController()
      const runId = 'runId' in beginning ? beginning.runId : undefined
      const own: Followed = { controller, runId, isLeft: false, stopWanted: false }
      followed.current = own
      setStopping(false)
      const batch = batchText(hear)
      controller.signal.addEventListener('abort', batch.drop)
      const pass = (event: FollowedEvent) => {
        if (event.event === 'start') {
          own.runId = event.data.run_id
          taken()
          if (own.stopWanted) void stopRun(own.runId)
        }
        if (own.isLeft) controller.abort()
        else batch.hear(event)
      }
      return { own, ended: followRun(beginning, pass, { signal: controller.signal }) }
    },
    [hear, taken, leave, stopRun],
  )

  const abandon = useCallback(() => followed.current?.controller.abort(), [])

  return { follow, leave, abandon, stop, stopping }
}
