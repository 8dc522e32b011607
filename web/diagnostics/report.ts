import type { User } from '#contract/accounts/accounts.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import type { Capture } from './capture.ts'
import type { CheckResult } from './check.ts'
import { redactDeep } from './redact.ts'
import type { LogEntry } from './run-checks.ts'
import { getServedVersion } from './system-information.ts'

export type OverallStatus = 'ALL_PASS' | 'PARTIAL_PASS' | 'ALL_FAIL'

export interface Summary {
  /** Passed and failed checks. */
  total: number
  passed: number
  failed: number
  /** '8/9' */
  score: string
  /** Percentage of `total`, with one decimal. */
  percentage: number
  overallStatus: OverallStatus
  skipped: number
  tolerated: number
}

export function summarize(results: readonly CheckResult[]): Summary {
  const count = (outcome: CheckResult['outcome']) => results.filter((result) => result.outcome === outcome).length
  const [passed, failed, skipped, tolerated] = [count('passed'), count('failed'), count('skipped'), count('tolerated')]
  const total = passed + failed
  const failureStatus = passed > 0 ? 'PARTIAL_PASS' : 'ALL_FAIL'
  return {
    total,
    passed,
    failed,
    score: `${passed}/${total}`,
    percentage: total === 0 ? 0 : Math.round((passed / total) * 1000) / 10,
    overallStatus: failed === 0 ? 'ALL_PASS' : failureStatus,
    skipped,
    tolerated,
  }
}

interface ReportInput {
  results: readonly CheckResult[]
  logs: readonly LogEntry[]
  captured: Pick<Capture, 'errors' | 'requests'>
  user: User | null
  criticalError: string | null
  stopped: boolean
}

const maxReportedLogs = 500

/** The report as JSON, without keys, tokens, queries or anything a person wrote. */
export function formatReport({ results, logs, captured, user, criticalError, stopped }: ReportInput): string {
  const { version, build } = getServedVersion()
  const { errors, requests } = captured
  const report = {
    timestamp: new Date().toISOString(),
    platform: 'Keeper',
    version,
    environment: {
      build,
      origin: location.origin,
      path: location.pathname,
      user_agent: navigator.userAgent,
      language: navigator.language,
      online: navigator.onLine,
    },
    user: user && {
      id: user.id,
      name: user.name ?? null,
      nickname: user.nickname ?? null,
      email: user.email,
      token: 'present',
    },
    summary: summarize(results),
    ...(criticalError && { criticalError }),
    ...(stopped && { stopped }),
    tests: results.map(({ detail, ...result }) => ({ ...result, detail: redactDeep(detail) })),
    logs: logs.slice(-maxReportedLogs),
    consoleErrors: errors,
    networkRequests: requests,
  }
  return JSON.stringify(report, null, 2)
}

interface VerdictContext {
  /** All checks, including those that did not run. */
  totalChecks: number
  signedIn: boolean
  stopped: boolean
}

export function getVerdict(
  results: readonly CheckResult[],
  { totalChecks, signedIn, stopped }: VerdictContext,
): { headline: string; notes: string } {
  const { total, passed, failed, overallStatus, skipped, tolerated } = summarize(results)
  const names = results.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
  const notes = [
    names.length > 0 &&
      `${names.length === 1 ? 'One check needs attention' : `${names.length} checks need attention`}: ${listFormat.format(names)}.`,
    tolerated > 0 && `${pluralize(tolerated, 'optional provider test')} didn’t work.`,
    skipped > 0 &&
      (signedIn
        ? `${pluralize(skipped, 'check')} skipped.`
        : `${skipped} ${skipped === 1 ? 'needs' : 'need'} sign-in.`),
  ]
  const notesText = notes.filter(Boolean).join(' ')
  if (stopped) {
    const parts = [`${passed} passed`, failed > 0 && `${failed} failed`].filter(Boolean).join(', ')
    return { headline: `Stopped after ${results.length} of ${totalChecks} checks; ${parts}.`, notes: notesText }
  }
  if (overallStatus === 'ALL_PASS')
    return {
      headline: `${total === 1 ? '' : 'All '}${pluralize(total, 'check')} ${signedIn ? '' : 'a visitor can run '}passed.`,
      notes: notesText,
    }
  // A passed browser check says nothing about a server that does not answer.
  if (!results.some(({ outcome, inBrowser }) => outcome === 'passed' && !inBrowser))
    return { headline: 'No server check passed.', notes: notesText }
  return { headline: `${passed} of ${total} checks passed.`, notes: notesText }
}

const listFormat = new Intl.ListFormat('en-US', { type: 'conjunction' })
