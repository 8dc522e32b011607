import { useCallback, useRef, useState } from 'react'
import { runs } from '#contract/agents/runs.ts'
import { call } from '#web/api.ts'
import { reasonText } from '../runs/reason-text.ts'
import { batchText } from './batch-text.ts'
import { type FollowedEvent, followRun, type RunBeginning } from './follow-run.ts'

/** The run that is followed, or the words on their way to one. */
interface Followed {
  controller: AbortController
  /** None before its beginning. */
  runId: string | undefined
  isLeft: boolean
  stopWanted: boolean
}

interface FollowedRunOptions {
  hear: (event: FollowedEvent) => void
  /** The server has the words, also those of a run that was left before its beginning. */
  taken: () => void
  tell: (notice: string) => void
}

/** One run at a time, followed or begun, and told to stop. What is given must stay the same. */
export function useFollowedRun({ hear, taken, tell }: FollowedRunOptions) {
  const followed = useRef<Followed>(undefined)
  const [stopping, setStopping] = useState(false)

  const stopRun = useCallback(
    (runId: string) =>
      call(runs.stop, { params: { runId } }).catch((reason) => {
        setStopping(false)
        tell(`The answer could not be stopped: ${reasonText(reason)}`)
      }),
    [tell],
  )

  /** Before its beginning it is told to stop as soon as it has one. */
  async function stop() {
    const own = followed.current
    if (!own) return
    setStopping(true)
    if (own.runId) await stopRun(own.runId)
    else own.stopWanted = true
  }

  /**
   * Leaves the answer under way to itself; it is found again in its session. Words on their way are waited for: the
   * server has them, or they go back to the box.
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

  /** For a page that goes. */
  const abandon = useCallback(() => followed.current?.controller.abort(), [])

  return { follow, leave, abandon, stop, stopping }
}
