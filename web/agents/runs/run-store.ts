import { useCallback, useState, useSyncExternalStore } from 'react'
import { runs } from '#contract/agents/runs.ts'
import { call, NetworkError } from '#web/api/api.ts'
import { type FollowedEvent, followRun, type RunStart } from './follow-run.ts'
import { getReasonText } from './reason-text.ts'
import { applyEvent, createRunView, type RunView, resumeRunView, toMockView } from './run-view.ts'

/** Followed runs by id, so that everything on a page that shows one run shares its stream. */
const runsById = new Map<string, FollowedRun>()

/** Mock answer for a run that can't start offline. */
type OfflineAnswer = () => string

/** Starts a run, or follows an existing one. Following ends with the last subscriber; the run itself continues. */
export function openRun(runStart: RunStart, getOfflineAnswer?: OfflineAnswer): FollowedRun {
  const existing = 'runId' in runStart ? runsById.get(runStart.runId) : undefined
  // Only an interrupted run is followed again; a failed one would fail again.
  if (existing?.getSnapshot().status === 'interrupted') existing.resume()
  return existing ?? new FollowedRun(runStart, getOfflineAnswer)
}

/** One run as this page receives it. */
export class FollowedRun {
  /** Resolves when the run has ended, was refused or is no longer followed. */
  finished: Promise<void>
  #view: RunView
  readonly #started = Promise.withResolvers<string | undefined>()
  readonly #controller = new AbortController()
  readonly #listeners = new Set<() => void>()
  #cancelNotify: (() => void) | undefined

  constructor(runStart: RunStart, getOfflineAnswer?: OfflineAnswer) {
    const runId = 'runId' in runStart ? runStart.runId : undefined
    this.#view = createRunView(runId)
    if (runId) this.#register(runId)
    this.finished = this.#follow(runStart, getOfflineAnswer)
  }

  readonly getSnapshot = (): RunView => this.#view

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      // Deferred, because another component can take over in the same commit.
      queueMicrotask(() => {
        if (this.#listeners.size === 0) this.#close()
      })
    }
  }

  /** Follows a run again whose connection couldn't be restored. */
  resume(delayMs = 0): void {
    const { runId, status } = this.#view
    if (!runId || status === 'running') return
    this.#update(resumeRunView(this.#view))
    this.finished = this.#follow({ runId, delayMs })
  }

  /** A run that hasn't started yet is stopped as soon as it starts. */
  async stop(): Promise<void> {
    this.#update({ ...this.#view, stopping: true, stopProblem: undefined })
    const runId = await this.#started.promise
    if (!runId) return
    await call(runs.stop, { params: { runId } }).catch((reason) =>
      this.#update({ ...this.#view, stopping: false, stopProblem: getReasonText(reason) }),
    )
  }

  async #follow(runStart: RunStart, getOfflineAnswer?: OfflineAnswer): Promise<void> {
    const { signal } = this.#controller
    try {
      await followRun(runStart, (event) => this.#receive(event), { signal })
    } catch (reason) {
      if (signal.aborted) return
      this.#started.resolve(undefined)
      this.#update(
        getOfflineAnswer && reason instanceof NetworkError
          ? toMockView(this.#view, getOfflineAnswer())
          : { ...this.#view, status: 'error', reason: getReasonText(reason, 'Failed to run agent'), refusal: reason },
      )
    }
  }

  /** Text arrives faster than a page can paint, so listeners are notified once a frame. */
  #receive(event: FollowedEvent): void {
    if (event.event === 'start') this.#register(event.data.run_id)
    const next = applyEvent(this.#view, event)
    if (event.event === 'text' || event.event === 'reasoning' || event.event === 'span-text') {
      this.#view = next
      this.#cancelNotify ??= scheduleNextPaint(() => this.#update(this.#view))
    } else this.#update(next)
  }

  #update(view: RunView): void {
    this.#cancelNotify?.()
    this.#cancelNotify = undefined
    this.#view = view
    for (const listener of this.#listeners) listener()
  }

  #register(runId: string): void {
    this.#started.resolve(runId)
    runsById.set(runId, this)
  }

  #close(): void {
    const { runId } = this.#view
    this.#controller.abort()
    this.#cancelNotify?.()
    if (runId && runsById.get(runId) === this) runsById.delete(runId)
  }
}

/** The run that a component starts or follows, one at a time. */
export function useRun() {
  const [run, setRun] = useState<FollowedRun>()
  const view = useSyncExternalStore(run?.subscribe ?? subscribeToNothing, () => run?.getSnapshot())
  const start = useCallback((runStart: RunStart, getOfflineAnswer?: OfflineAnswer): Promise<void> => {
    const next = openRun(runStart, getOfflineAnswer)
    setRun(next)
    return next.finished
  }, [])
  const stop = useCallback(() => void run?.stop(), [run])
  const forget = useCallback(() => setRun(undefined), [])
  return { view, start, stop, forget }
}

const subscribeToNothing = () => () => undefined

const hiddenTabDelayMs = 250

/** Hidden tabs get no frames; a timer notifies there. */
function scheduleNextPaint(callback: () => void): () => void {
  if (document.hidden) {
    const timer = setTimeout(callback, hiddenTabDelayMs)
    return () => clearTimeout(timer)
  }
  const frame = requestAnimationFrame(callback)
  return () => cancelAnimationFrame(frame)
}
