import { type RefObject, useEffect, useRef, useState } from 'react'
import type { User } from '#contract/accounts/accounts.ts'
import { copyText } from '#web/ui/copy-text.ts'
import { asker } from './ask-server.ts'
import { Capture } from './capture.ts'
import type { CheckResult } from './check.ts'
import { reportText, summaryOf } from './report.ts'
import { allChecks, type Level, type LogEntry, runChecks } from './run-checks.ts'

export interface Diagnosis {
  phase: 'idle' | 'running' | 'done' | 'fatal'
  results: readonly CheckResult[]
  logs: readonly LogEntry[]
  /** The name of the running check. */
  current: string | null
  /** Why the remaining checks could not run. */
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

/** Stops the run and restores console and fetch. */
function letGo(running: RefObject<Running | undefined>): void {
  const before = running.current
  running.current = undefined
  before?.controller.abort('left')
  before?.capture.restore()
  for (const timer of before?.timers ?? []) clearTimeout(timer)
}

/** One run of all checks at a time; leaving the page stops it. */
export function useDiagnostics(user: User | null) {
  const [diagnosis, setDiagnosis] = useState(idle)
  const running = useRef<Running>(undefined)

  useEffect(() => () => letGo(running), [])

  async function run() {
    letGo(running)
    const mine: Running = { controller: new AbortController(), capture: new Capture(), timers: new Set() }
    running.current = mine
    const present: Diagnosis = { ...idle, phase: 'running' }
    const show = (changes: Partial<Diagnosis>) => {
      Object.assign(present, changes)
      if (running.current === mine) setDiagnosis({ ...present })
    }
    const log = (level: Level, text: string) =>
      show({ logs: [...present.logs, { at: new Date().toISOString(), level, text }] })
    const later = (work: () => void, ms: number) => void mine.timers.add(window.setTimeout(work, ms))
    const report = () => {
      const { results, logs, critical, stopped } = present
      return reportText({ results, logs, captured: mine.capture, user, critical, stopped })
    }
    show({})

    const { signal } = mine.controller
    const world = { ask: asker(signal), user, permissions: undefined, signal }
    try {
      await runChecks(allChecks, world, {
        log,
        begins: ({ name }) => show({ current: name }),
        ends: (result) => show({ results: [...present.results, result] }),
        critical: (critical) => show({ critical }),
      })
    } catch (reason) {
      if (signal.reason === 'left') return
      if (signal.aborted) show({ stopped: true })
      else show({ critical: (reason as Error | undefined)?.message || 'Unknown error' })
      log(signal.aborted ? 'warn' : 'error', signal.aborted ? 'Stopped' : `ERROR ${present.critical}`)
    }
    const { overallStatus, score } = summaryOf(present.results)
    log('info', `Report: ${overallStatus} ${score}`)
    show({ phase: present.critical ? 'fatal' : 'done', current: null, report: report() })
    later(() => {
      mine.capture.restore()
      show({ report: report() })
    }, lateErrorsMilliseconds)
    if (!present.stopped) await copy(present.report ?? '', show, log, later)
  }

  async function copyAgain() {
    const mine = running.current
    if (!mine || !diagnosis.report) return
    const show = (changes: Partial<Diagnosis>) =>
      setDiagnosis((present) => (running.current === mine ? { ...present, ...changes } : present))
    await copy(
      diagnosis.report,
      show,
      () => undefined,
      (work, ms) => void mine.timers.add(window.setTimeout(work, ms)),
    )
  }

  return {
    diagnosis,
    run,
    stop: () => running.current?.controller.abort('stopped'),
    clear() {
      letGo(running)
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
