import { agents } from '#contract/agents/agents.ts'
import { chat } from '#contract/agents/chat.ts'
import type { Provider } from '#contract/agents/model-settings.ts'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { type CheckContext, CheckFailed, type CheckResult, CheckSkipped, type DiagnosticCheck } from './check.ts'
import { checksForEveryone } from './checks-for-everyone.ts'
import { checksWhenSignedIn, personalKeysPage, sessionCheck } from './checks-when-signed-in.ts'
import { redact } from './redact.ts'
import { NoAnswer, requestSuccess, requireSuccess } from './server-request.ts'

/** The server's own timeout is slightly shorter. */
const providerTimeoutMs = 30_000
const answerTimeoutMs = 60_000

/** The answer is not reported: it may quote the person's entries. */
const chatWithKip: DiagnosticCheck = {
  id: 'chat',
  name: 'Chat with kip',
  meaning: 'An agent answers, with a key or in mock mode.',
  remedy: 'Check the provider tests below and the key. “Fix Kip provider” restores Kip’s provider and model.',
  needsSignIn: true,
  async run({ request, user }) {
    // A separate session, so that the chat list stays unchanged.
    const session = { agentId: 'kip', sessionName: 'Diagnostics' }
    const created = await requestSuccess(request, agents.createSession, { body: session, ignoresStop: true })
    const sessionId = created.data.id
    try {
      const body = {
        agentId: 'kip',
        input: 'Answer with one word: ping',
        userId: user?.id,
        sessionId,
        origin: 'diagnostics',
      }
      const answer = await request(agents.run, { body, timeoutMs: answerTimeoutMs })
      const { code, error } = (answer.body ?? {}) as { code?: unknown; error?: unknown }
      const { run_id } = (answer.data ?? {}) as { run_id?: unknown }
      const meta = { agentId: 'kip', ...answer.meta, run_id, code }
      if (answer.status !== 200)
        throw new CheckFailed(`POST run: ${typeof error === 'string' ? error : `answered ${answer.status}`}`, {
          ...meta,
          error,
        })
      const { mock_mode, response, model } = requireSuccess(agents.run, answer).data
      const detail = { ...meta, model, mock_mode, characters: response.length }
      if (response === '') throw new CheckFailed('Kip’s answer was empty.', detail)
      return { message: mock_mode ? 'Kip answered in mock mode because there is no key' : 'Kip answered', detail }
    } finally {
      // The session is removed even if the checks were stopped.
      await request(chat.remove, { params: { sessionId }, ignoresStop: true }).catch(() => undefined)
    }
  },
}

function createProviderCheck(provider: Provider): DiagnosticCheck {
  return {
    id: `provider-${provider}`,
    name: `${getProviderName(provider)} test`,
    meaning: `${getProviderName(provider)} answers one tiny real call with the key your runs use.`,
    remedy: 'Add or check a key under Personal API Keys. Without one, agents answer in mock mode.',
    remedyLink: personalKeysPage,
    needsSignIn: true,
    tolerated: true,
    async run({ request, user }) {
      const body = { provider, messages: [{ role: 'user', content: 'ping' }], userId: user?.id }
      const options = { body, timeoutMs: providerTimeoutMs }
      const { data, body: envelope, meta } = await requestSuccess(request, diagnostics.modelProviderTest, options)
      const { works, asked: requested, model, key_source, code, run_id, ms } = data
      const { error } = envelope as { error?: string | null }
      const detail = { ...meta, works, asked: requested, model, key_source, code, run_id, provider_ms: ms }
      if (!works) throw new CheckFailed(error ?? 'The test failed.', { ...detail, error })
      return { message: requested === 'voices' ? 'Lists its voices' : `${model} answered`, detail }
    },
  }
}

/** Other keys are tested when they are saved. */
const testedProviders: Provider[] = ['openai', 'anthropic', 'together', 'elevenlabs']

const modelChecks: DiagnosticCheck[] = [chatWithKip, ...testedProviders.map(createProviderCheck)]

export type LogLevel = 'info' | 'ok' | 'warn' | 'error'
export interface LogEntry {
  at: string
  level: LogLevel
  text: string
}

export interface RunListener {
  log(level: LogLevel, text: string): void
  checkStarted(check: DiagnosticCheck): void
  checkFinished(result: CheckResult): void
  /** The remaining server checks cannot run. */
  criticalError(reason: string): void
}

/** Ping comes before all other server checks. */
export const allChecks: readonly DiagnosticCheck[] = [
  ...checksForEveryone.slice(0, 2),
  sessionCheck,
  ...checksForEveryone.slice(2),
  ...checksWhenSignedIn,
  ...modelChecks,
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
    const hasJustLostServer = outcome.isServerLost && (await isServerDown(context))
    context.signal.throwIfAborted()
    // An outage is reported once, for all checks, without the remedy of this one.
    if (hasJustLostServer)
      outcome = { outcome: 'failed', message: outcome.message, remedy: null, detail: outcome.detail }
    const { isServerLost: _, ...outcomeFields } = outcome
    const { id, name, meaning, inBrowser } = check
    const isLinkInRemedy = check.remedyLink && outcome.remedy?.includes(check.remedyLink.linkText)
    const remedyLink = isLinkInRemedy ? check.remedyLink : undefined
    const result = { id, name, meaning, ms, ...outcomeFields, remedyLink, inBrowser }
    listener.log(levelByOutcome[result.outcome], formatResult(result))
    listener.checkFinished(result)
    if (hasJustLostServer) {
      hasLostServer = true
      listener.log('error', `ERROR ${serverDownMessage}`)
      listener.criticalError(serverDownMessage)
    }
  }
}

type CheckOutcome = Pick<CheckResult, 'outcome' | 'message' | 'remedy' | 'detail'> & { isServerLost?: boolean }

const levelByOutcome = { passed: 'ok', failed: 'error', skipped: 'info', tolerated: 'warn' } as const

function formatResult({ name, outcome, message, ms }: CheckResult): string {
  if (outcome === 'failed') return `ERROR ${name}: ${message}`
  return outcome === 'skipped' ? `${name} skipped: ${message}` : `${name}: ${message} (${ms} ms)`
}

async function runCheck(check: DiagnosticCheck, context: CheckContext, { log }: RunListener): Promise<CheckOutcome> {
  const skipOutcome = findSkipOutcome(check, context)
  if (skipOutcome) return skipOutcome
  try {
    const { message: resultText, detail } = await check.run(context)
    return { outcome: 'passed', message: redact(resultText), remedy: null, detail }
  } catch (reason) {
    if (context.signal.aborted) throw reason
    if (reason instanceof CheckSkipped) return createSkipped(redact(reason.message), null)
    const isServerLost = reason instanceof NoAnswer
    const resultText = redact((reason as Error | undefined)?.message || 'Unknown error')
    if (!isServerLost && !(reason instanceof CheckFailed)) log('error', `ERROR ${resultText}`)
    const detail = reason instanceof CheckFailed ? reason.detail : { error: resultText }
    const remedy = (reason instanceof CheckFailed && reason.remedy) || check.remedy
    return { outcome: check.tolerated ? 'tolerated' : 'failed', message: resultText, remedy, detail, isServerLost }
  }
}

function findSkipOutcome(check: DiagnosticCheck, { user, permissions }: CheckContext): CheckOutcome | null {
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
  return findSkipOutcome(check, context) ?? createSkipped('the server isn’t answering', null)
}

async function isServerDown({ request }: CheckContext): Promise<boolean> {
  try {
    await request(diagnostics.ping, { timeoutMs: 5_000 })
    return false
  } catch (reason) {
    return reason instanceof NoAnswer
  }
}
