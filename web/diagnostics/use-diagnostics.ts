import { type RefObject, useEffect, useRef, useState } from 'react'
import type { User } from '#contract/accounts/accounts.ts'
import { copyText } from '#web/ui/copy-text.ts'
import { Capture } from './capture.ts'
import type { CheckResult } from './check.ts'
import { reportText, summarize } from './report.ts'
import { allChecks, type Level, type LogEntry, runChecks } from './run-checks.ts'
import { createServerRequester } from './server-request.ts'

export interface Diagnosis {
  phase: 'idle' | 'running' | 'done' | 'fatal'
  results: readonly CheckResult[]
  logs: readonly LogEntry[]
  current: string | null
  critical: string | null
  stopped: boolean
  /** `null` until the checks have ended. */
  report: string | null
  copied: 'no' | 'yes' | 'failed'
}

const idle: Diagnosis = {
  phase: 'idle',
  results: [],
  logs: [],
  current: null,
  critical: null,
  stopped: false,
  report: null,
  copied: 'no',
}

const lateErrorsMilliseconds = 1000
const copiedStaysMilliseconds = 5000

interface Running {
  controller: AbortController
  capture: Capture
  timers: Set<number>
}

function disposeRun(running: RefObject<Running | undefined>): void {
  const previousRun = running.current
  running.current = undefined
  previousRun?.controller.abort('left')
  previousRun?.capture.restore()
  for (const timer of previousRun?.timers ?? []) clearTimeout(timer)
}

export function useDiagnostics(user: User | null) {
  const [diagnosis, setDiagnosis] = useState(idle)
  const running = useRef<Running>(undefined)

  useEffect(() => () => disposeRun(running), [])

  async function run() {
    disposeRun(running)
    const currentRun: Running = { controller: new AbortController(), capture: new Capture(), timers: new Set() }
    running.current = currentRun
    const present: Diagnosis = { ...idle, phase: 'running' }
    const show = (changes: Partial<Diagnosis>) => {
      Object.assign(present, changes)
      if (running.current === currentRun) setDiagnosis({ ...present })
    }
    const log = (level: Level, text: string) =>
      show({ logs: [...present.logs, { at: new Date().toISOString(), level, text }] })
    const later = (work: () => void, ms: number) => void currentRun.timers.add(window.setTimeout(work, ms))
    const report = () => {
      const { results, logs, critical, stopped } = present
      return reportText({ results, logs, captured: currentRun.capture, user, critical, stopped })
    }
    show({})

    const { signal } = currentRun.controller
    const world = { request: createServerRequester(signal), user, permissions: undefined, signal }
    try {
      await runChecks(allChecks, world, {
        log,
        checkStarted: ({ name }) => show({ current: name }),
        checkEnded: (result) => show({ results: [...present.results, result] }),
        critical: (critical) => show({ critical }),
      })
    } catch (reason) {
      if (signal.reason === 'left') return
      if (signal.aborted) show({ stopped: true })
      else show({ critical: (reason as Error | undefined)?.message || 'Unknown error' })
      log(signal.aborted ? 'warn' : 'error', signal.aborted ? 'Stopped' : `ERROR ${present.critical}`)
    }
    const { overallStatus, score } = summarize(present.results)
    log('info', `Report: ${overallStatus} ${score}`)
    show({ phase: present.critical ? 'fatal' : 'done', current: null, report: report() })
    later(() => {
      currentRun.capture.restore()
      show({ report: report() })
    }, lateErrorsMilliseconds)
    if (!present.stopped) await copy(present.report ?? '', show, log, later)
  }

  async function copyAgain() {
    const currentRun = running.current
    if (!currentRun || !diagnosis.report) return
    const show = (changes: Partial<Diagnosis>) =>
      setDiagnosis((present) => (running.current === currentRun ? { ...present, ...changes } : present))
    await copy(
      diagnosis.report,
      show,
      () => undefined,
      (work, ms) => void currentRun.timers.add(window.setTimeout(work, ms)),
    )
  }

  return {
    diagnosis,
    run,
    stop: () => running.current?.controller.abort('stopped'),
    clear() {
      disposeRun(running)
      setDiagnosis(idle)
    },
    copyAgain,
  }
}

async function copy(
  report: string,
  show: (changes: Partial<Diagnosis>) => void,
  log: (level: Level, text: string) => void,
  later: (work: () => void, ms: number) => void,
): Promise<void> {
  try {
    await copyText(report)
    log('ok', 'Copied to clipboard')
    show({ copied: 'yes' })
    later(() => show({ copied: 'no' }), copiedStaysMilliseconds)
  } catch {
    log('error', 'ERROR Failed to copy to clipboard')
    show({ copied: 'failed' })
  }
}
