import { type RefObject, useEffect, useRef, useState } from 'react'
import type { User } from '#contract/accounts/accounts.ts'
import { copyText } from '#web/ui/controls/copy-button.tsx'
import { Capture } from './capture.ts'
import type { CheckResult } from './check.ts'
import { formatReport, summarize } from './report.ts'
import { allChecks, type LogEntry, type LogLevel, runChecks } from './run-checks.ts'
import { createServerRequester } from './server-request.ts'

export interface Diagnosis {
  phase: 'idle' | 'running' | 'done' | 'fatal'
  results: readonly CheckResult[]
  logs: readonly LogEntry[]
  currentCheck: string | null
  criticalError: string | null
  stopped: boolean
  /** `null` until the checks have ended. */
  report: string | null
  copyState: 'no' | 'yes' | 'failed'
}

const idleDiagnosis: Diagnosis = {
  phase: 'idle',
  results: [],
  logs: [],
  currentCheck: null,
  criticalError: null,
  stopped: false,
  report: null,
  copyState: 'no',
}

const lateErrorsMs = 1000
const copiedNoticeMs = 5000

interface DiagnosticsRun {
  controller: AbortController
  capture: Capture
  timers: Set<number>
  diagnosis: Diagnosis
}

function disposeRun(running: RefObject<DiagnosticsRun | undefined>): void {
  const previousRun = running.current
  running.current = undefined
  previousRun?.controller.abort('left')
  previousRun?.capture.restore()
  for (const timer of previousRun?.timers ?? []) clearTimeout(timer)
}

export function useDiagnostics(user: User | null) {
  const [diagnosis, setDiagnosis] = useState(idleDiagnosis)
  const running = useRef<DiagnosticsRun>(undefined)

  useEffect(() => () => disposeRun(running), [])

  function show(run: DiagnosticsRun, changes: Partial<Diagnosis>) {
    run.diagnosis = { ...run.diagnosis, ...changes }
    if (running.current === run) setDiagnosis(run.diagnosis)
  }

  const log = (run: DiagnosticsRun, level: LogLevel, text: string) =>
    show(run, { logs: [...run.diagnosis.logs, { at: new Date().toISOString(), level, text }] })

  const schedule = (run: DiagnosticsRun, callback: () => void, ms: number) =>
    void run.timers.add(window.setTimeout(callback, ms))

  const showReport = (run: DiagnosticsRun) =>
    show(run, { report: formatReport({ ...run.diagnosis, captured: run.capture, user }) })

  async function copyReport(run: DiagnosticsRun): Promise<boolean> {
    try {
      await copyText(run.diagnosis.report ?? '')
      show(run, { copyState: 'yes' })
      schedule(run, () => show(run, { copyState: 'no' }), copiedNoticeMs)
      return true
    } catch {
      show(run, { copyState: 'failed' })
      return false
    }
  }

  async function run() {
    disposeRun(running)
    const controller = new AbortController()
    const { signal } = controller
    const currentRun = { controller, capture: new Capture(), timers: new Set<number>(), diagnosis: idleDiagnosis }
    running.current = currentRun
    show(currentRun, { phase: 'running' })
    const context = { request: createServerRequester(signal), user, permissions: undefined, signal }
    try {
      await runChecks(allChecks, context, {
        log: (level, text) => log(currentRun, level, text),
        checkStarted: ({ name }) => show(currentRun, { currentCheck: name }),
        checkFinished: (result) => show(currentRun, { results: [...currentRun.diagnosis.results, result] }),
        criticalError: (criticalError) => show(currentRun, { criticalError }),
      })
    } catch (reason) {
      if (signal.reason === 'left') return
      if (signal.aborted) {
        show(currentRun, { stopped: true })
        log(currentRun, 'warn', 'Stopped')
      } else {
        const criticalError = (reason as Error | undefined)?.message || 'Unknown error'
        show(currentRun, { criticalError })
        log(currentRun, 'error', `ERROR ${criticalError}`)
      }
    }
    const { results, criticalError, stopped } = currentRun.diagnosis
    const { overallStatus, score } = summarize(results)
    log(currentRun, 'info', `Report: ${overallStatus} ${score}`)
    showReport(currentRun)
    show(currentRun, { phase: criticalError ? 'fatal' : 'done', currentCheck: null })
    schedule(
      currentRun,
      () => {
        currentRun.capture.restore()
        showReport(currentRun)
      },
      lateErrorsMs,
    )
    if (stopped) return
    if (await copyReport(currentRun)) log(currentRun, 'ok', 'Copied to clipboard')
    else log(currentRun, 'error', 'ERROR Failed to copy to clipboard')
  }

  return {
    diagnosis,
    run,
    stop: () => running.current?.controller.abort('stopped'),
    clear() {
      disposeRun(running)
      setDiagnosis(idleDiagnosis)
    },
    copyAgain: () => running.current && copyReport(running.current),
  }
}
