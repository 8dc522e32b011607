import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { type CheckContext, CheckFailed, type CheckResult, CheckSkipped, type DiagnosticCheck } from './check.ts'
import { checksForEveryone } from './checks-for-everyone.ts'
import { checksOfModels } from './checks-of-models.ts'
import { checksWhenSignedIn, sessionCheck } from './checks-when-signed-in.ts'
import { redact } from './redact.ts'
import { NoAnswer } from './server-request.ts'

export type LogLevel = 'info' | 'ok' | 'warn' | 'error'
export interface LogEntry {
  at: string
  level: LogLevel
  text: string
}

export interface RunListener {
  log(level: LogLevel, text: string): void
  checkStarted(check: DiagnosticCheck): void
  checkEnded(result: CheckResult): void
  /** The remaining server checks cannot run. */
  critical(reason: string): void
}

/** Ping comes before all other server checks. */
export const allChecks: readonly DiagnosticCheck[] = [
  ...checksForEveryone.slice(0, 2),
  sessionCheck,
  ...checksForEveryone.slice(2),
  ...checksWhenSignedIn,
  ...checksOfModels,
]

export const serverDownMessage = 'The server isn’t answering. Is it running, and is this the right address?'

/** Runs the checks one by one; rejects with the reason of the signal on abort. */
export async function runChecks(
  checks: readonly DiagnosticCheck[],
  context: CheckContext,
  listener: RunListener,
): Promise<void> {
  let hasLostServer = false
  listener.log('info', `Starting ${checks.length} checks`)
  for (const check of checks) {
    context.signal.throwIfAborted()
    listener.checkStarted(check)
    const started = performance.now()
    let outcome =
      hasLostServer && !check.inBrowser ? skipUnreachable(check, context) : await runCheck(check, context, listener)
    const ms = Math.round(performance.now() - started)
    const isFirstLoss = outcome.lost && (await isServerDown(context))
    context.signal.throwIfAborted()
    // An outage is reported once, for all checks, without the remedy of this one.
    if (isFirstLoss) outcome = { outcome: 'failed', message: outcome.message, remedy: null, detail: outcome.detail }
    const { lost: _, ...outcomeFields } = outcome
    const { id, name, meaning, remedyLink, inBrowser } = check
    const result = {
      id,
      name,
      meaning,
      ms,
      ...outcomeFields,
      remedyLink: outcomeFields.remedy?.includes(remedyLink?.linkText ?? '\n') ? remedyLink : undefined,
      inBrowser,
    }
    listener.log(levelByOutcome[result.outcome], formatResult(result))
    listener.checkEnded(result)
    if (isFirstLoss) {
      hasLostServer = true
      listener.log('error', `ERROR ${serverDownMessage}`)
      listener.critical(serverDownMessage)
    }
  }
}

type CheckOutcome = Pick<CheckResult, 'outcome' | 'message' | 'remedy' | 'detail'> & { lost?: boolean }

const levelByOutcome = { passed: 'ok', failed: 'error', skipped: 'info', tolerated: 'warn' } as const

function formatResult({
  name,
  outcome,
  message: resultText,
  ms,
}: Pick<CheckResult, 'name' | 'outcome' | 'message' | 'ms'>): string {
  if (outcome === 'failed') return `ERROR ${name}: ${resultText}`
  return outcome === 'skipped' ? `${name} skipped: ${resultText}` : `${name}: ${resultText} (${ms} ms)`
}

async function runCheck(check: DiagnosticCheck, context: CheckContext, { log }: RunListener): Promise<CheckOutcome> {
  const skipOutcome = getSkipReason(check, context)
  if (skipOutcome) return skipOutcome
  try {
    const { message: resultText, detail } = await check.run(context)
    return { outcome: 'passed', message: redact(resultText), remedy: null, detail }
  } catch (reason) {
    if (context.signal.aborted) throw reason
    if (reason instanceof CheckSkipped) return createSkipped(redact(reason.message), null)
    const lost = reason instanceof NoAnswer
    const resultText = redact((reason as Error | undefined)?.message || 'Unknown error')
    if (!lost && !(reason instanceof CheckFailed)) log('error', `ERROR ${resultText}`)
    const detail = reason instanceof CheckFailed ? reason.detail : { error: resultText }
    const remedy = (reason instanceof CheckFailed && reason.remedy) || check.remedy
    return { outcome: check.tolerated ? 'tolerated' : 'failed', message: resultText, remedy, detail, lost }
  }
}

function getSkipReason(check: DiagnosticCheck, { user, permissions }: CheckContext): CheckOutcome | null {
  if (check.needsSignIn && !user) return createSkipped('needs sign-in', 'Sign in and run the checks again.')
  if (check.permission && permissions && !permissions.includes(check.permission))
    return createSkipped(`needs the permission ${check.permission}`, 'A super-admin can give you a role that has it.')
  return null
}

const createSkipped = (resultText: string, remedy: string | null): CheckOutcome => ({
  outcome: 'skipped',
  message: resultText,
  remedy,
  detail: {},
})

function skipUnreachable(check: DiagnosticCheck, context: CheckContext): CheckOutcome {
  return getSkipReason(check, context) ?? createSkipped('skipped: the server isn’t answering', null)
}

async function isServerDown({ request }: CheckContext): Promise<boolean> {
  try {
    await request(diagnostics.ping, { timeoutMs: 5_000 })
    return false
  } catch (reason) {
    return reason instanceof NoAnswer
  }
}
