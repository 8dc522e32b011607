import { type RefObject, useEffect, useRef, useState } from 'react'
import type { User } from '#contract/accounts/accounts.ts'
import { copyText } from '#web/ui/text/copy-text.ts'
import { Capture } from './capture.ts'
import type { CheckResult } from './check.ts'
import { formatReport, summarize } from './report.ts'
import { allChecks, type LogEntry, type LogLevel, runChecks } from './run-checks.ts'
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

const idleDiagnosis: Diagnosis = {
  phase: 'idle',
  results: [],
  logs: [],
  current: null,
  critical: null,
  stopped: false,
  report: null,
  copied: 'no',
}

const lateErrorsMs = 1000
const copiedNoticeMs = 5000

interface DiagnosticsRun {
  controller: AbortController
  capture: Capture
  timers: Set<number>
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

  async function run() {
    disposeRun(running)
    const currentRun: DiagnosticsRun = { controller: new AbortController(), capture: new Capture(), timers: new Set() }
    running.current = currentRun
    const currentDiagnosis: Diagnosis = { ...idleDiagnosis, phase: 'running' }
    const show = (changes: Partial<Diagnosis>) => {
      Object.assign(currentDiagnosis, changes)
      if (running.current === currentRun) setDiagnosis({ ...currentDiagnosis })
    }
    const log = (level: LogLevel, text: string) =>
      show({ logs: [...currentDiagnosis.logs, { at: new Date().toISOString(), level, text }] })
    const schedule = (callback: () => void, ms: number) => void currentRun.timers.add(window.setTimeout(callback, ms))
    const report = () => {
      const { results, logs, critical, stopped } = currentDiagnosis
      return formatReport({ results, logs, captured: currentRun.capture, user, critical, stopped })
    }
    show({})

    const { signal } = currentRun.controller
    const context = { request: createServerRequester(signal), user, permissions: undefined, signal }
    try {
      await runChecks(allChecks, context, {
        log,
        checkStarted: ({ name }) => show({ current: name }),
        checkEnded: (result) => show({ results: [...currentDiagnosis.results, result] }),
        critical: (critical) => show({ critical }),
      })
    } catch (reason) {
      if (signal.reason === 'left') return
      if (signal.aborted) show({ stopped: true })
      else show({ critical: (reason as Error | undefined)?.message || 'Unknown error' })
      log(signal.aborted ? 'warn' : 'error', signal.aborted ? 'Stopped' : `ERROR ${currentDiagnosis.critical}`)
    }
    const { overallStatus, score } = summarize(currentDiagnosis.results)
    log('info', `Report: ${overallStatus} ${score}`)
    show({ phase: currentDiagnosis.critical ? 'fatal' : 'done', current: null, report: report() })
    schedule(() => {
      currentRun.capture.restore()
      show({ report: report() })
    }, lateErrorsMs)
    if (!currentDiagnosis.stopped) await copyReport(currentDiagnosis.report ?? '', show, log, schedule)
  }

  async function copyAgain() {
    const currentRun = running.current
    if (!currentRun || !diagnosis.report) return
    const show = (changes: Partial<Diagnosis>) =>
      setDiagnosis((currentDiagnosis) =>
        running.current === currentRun ? { ...currentDiagnosis, ...changes } : currentDiagnosis,
      )
    await copyReport(
      diagnosis.report,
      show,
      () => undefined,
      (callback, ms) => void currentRun.timers.add(window.setTimeout(callback, ms)),
    )
  }

  return {
    diagnosis,
    run,
    stop: () => running.current?.controller.abort('stopped'),
    clear() {
      disposeRun(running)
      setDiagnosis(idleDiagnosis)
    },
    copyAgain,
  }
}

async function copyReport(
  report: string,
  show: (changes: Partial<Diagnosis>) => void,
  log: (level: LogLevel, text: string) => void,
  schedule: (callback: () => void, ms: number) => void,
): Promise<void> {
  try {
    await copyText(report)
    log('ok', 'Copied to clipboard')
    show({ copied: 'yes' })
    schedule(() => show({ copied: 'no' }), copiedNoticeMs)
  } catch {
    log('error', 'ERROR Failed to copy to clipboard')
    show({ copied: 'failed' })
  }
}
