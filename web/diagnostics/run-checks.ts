import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { NoAnswer } from './ask-server.ts'
import { type Check, CheckFailed, type CheckResult, CheckSkipped, type World } from './check.ts'
import { checksForEverybody } from './checks-for-everybody.ts'
import { checksOfModels } from './checks-of-models.ts'
import { checksWhenSignedIn, sessionCheck } from './checks-when-signed-in.ts'
import { redacted } from './redact.ts'

export type Level = 'info' | 'ok' | 'warn' | 'error'
export interface LogEntry {
  at: string
  level: Level
  text: string
}

export interface Listener {
  log(level: Level, text: string): void
  begins(check: Check): void
  ends(result: CheckResult): void
  /** The remaining server checks cannot run. */
  critical(reason: string): void
}

/** Ping comes before all other server checks. */
export const allChecks: readonly Check[] = [
  ...checksForEverybody.slice(0, 2),
  sessionCheck,
  ...checksForEverybody.slice(2),
  ...checksWhenSignedIn,
  ...checksOfModels,
]

export const serverGone = 'The server isn’t answering. Is it running, and is this the right address?'

/** Runs the checks one by one; rejects with the reason of the signal on abort. */
export async function runChecks(checks: readonly Check[], world: World, listener: Listener): Promise<void> {
  let gone = false
  listener.log('info', `Starting ${checks.length} checks`)
  for (const check of checks) {
    world.signal.throwIfAborted()
    listener.begins(check)
    const started = performance.now()
    let told = gone && !check.inBrowser ? notAsked(check, world) : await carriedOut(check, world, listener)
    const ms = Math.round(performance.now() - started)
    const isNews = told.lost && (await isGone(world))
    world.signal.throwIfAborted()
    // An outage is reported once, for all checks, without the remedy of this one.
    if (isNews) told = { outcome: 'failed', told: told.told, remedy: null, detail: told.detail }
    const { lost: _, ...rest } = told
    const { id, name, means, remedyAt, inBrowser } = check
    const result = {
      id,
      name,
      means,
      ms,
      ...rest,
      remedyAt: rest.remedy?.includes(remedyAt?.words ?? '\n') ? remedyAt : undefined,
      inBrowser,
    }
    listener.log(levels[result.outcome], line(result))
    listener.ends(result)
    if (isNews) {
      gone = true
      listener.log('error', `ERROR ${serverGone}`)
      listener.critical(serverGone)
    }
  }
}

type Told = Pick<CheckResult, 'outcome' | 'told' | 'remedy' | 'detail'> & { lost?: boolean }

const levels = { passed: 'ok', failed: 'error', skipped: 'info', tolerated: 'warn' } as const

function line({ name, outcome, told, ms }: Pick<CheckResult, 'name' | 'outcome' | 'told' | 'ms'>): string {
  if (outcome === 'failed') return `ERROR ${name}: ${told}`
  return outcome === 'skipped' ? `${name} skipped: ${told}` : `${name}: ${told} (${ms} ms)`
}

async function carriedOut(check: Check, world: World, { log }: Listener): Promise<Told> {
  const missing = leftOut(check, world)
  if (missing) return missing
  try {
    const { told, detail } = await check.run(world)
    return { outcome: 'passed', told: redacted(told), remedy: null, detail }
  } catch (reason) {
    if (world.signal.aborted) throw reason
    if (reason instanceof CheckSkipped) return skipped(redacted(reason.message), null)
    const lost = reason instanceof NoAnswer
    const told = redacted((reason as Error | undefined)?.message || 'Unknown error')
    if (!lost && !(reason instanceof CheckFailed)) log('error', `ERROR ${told}`)
    const detail = reason instanceof CheckFailed ? reason.detail : { error: told }
    const remedy = (reason instanceof CheckFailed && reason.remedy) || check.remedy
    return { outcome: check.tolerated ? 'tolerated' : 'failed', told, remedy, detail, lost }
  }
}

function leftOut(check: Check, { user, permissions }: World): Told | null {
  if (check.needsSignIn && !user) return skipped('needs sign-in', 'Sign in and run the checks again.')
  if (check.permission && permissions && !permissions.includes(check.permission))
    return skipped(`needs the permission ${check.permission}`, 'A super-admin can give you a role that has it.')
  return null
}

const skipped = (told: string, remedy: string | null): Told => ({ outcome: 'skipped', told, remedy, detail: {} })

function notAsked(check: Check, world: World): Told {
  return leftOut(check, world) ?? skipped('skipped: the server isn’t answering', null)
}

async function isGone({ ask }: World): Promise<boolean> {
  try {
    await ask(diagnostics.ping, { patience: 5_000 })
    return false
  } catch (reason) {
    return reason instanceof NoAnswer
  }
}
