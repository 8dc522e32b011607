import { completeSettings, type Provider } from '#contract/agents/model-settings.ts'
import type { ModelProviderTest } from '#contract/diagnostics/diagnostics.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import type { Person } from '#server/accounts/person.ts'
import type { AgentRow } from '#server/agents/agent-view.ts'
import { requireBuiltInAgent } from '#server/agents/intent/propose-agent.ts'
import { getModelList, getVoiceList } from '#server/agents/model-lists/provider-lists.ts'
import { startRun } from '#server/agents/runs/start-run.ts'
import { Problem } from '#server/http/problem.ts'
import { countAttempts } from '#server/http/throttle.ts'
import { chooseKey } from '#server/keys/choose-key.ts'
import type { Services } from '#server/services.ts'

interface ProviderTestInput {
  provider: Provider
  messages: { role: 'system' | 'user' | 'assistant'; content: string }[]
}
interface ProviderTestResult extends ModelProviderTest {
  error: string | null
}
type ProviderTestOutcome = Pick<ProviderTestResult, 'works' | 'code' | 'error' | 'model' | 'run_id'>

const providerTestThrottle = { kind: 'model-provider-test', limit: 24, windowMs: 60_000 }
const defaultTimeoutMs = 20_000
const maxAnswerTokens = 16

/** One tiny real call with the key that would pay for runs; a failing provider is a result. @throws `too-many`, `over-budget` */
export async function testModelProvider(
  services: Services,
  person: Person,
  { provider, messages }: ProviderTestInput,
  timeoutMs = defaultTimeoutMs,
): Promise<ProviderTestResult> {
  const { isWithinLimit, waitSeconds } = await countAttempts(services, providerTestThrottle, person.id)
  if (!isWithinLimit) {
    throw new Problem('too-many', {
      message: 'Providers were tested too often. Wait a minute.',
      retryAfterSeconds: waitSeconds,
    })
  }
  const startedAt = performance.now()
  const testKind = provider === 'elevenlabs' ? ('voices' as const) : ('answer' as const)
  const commonFields = { provider, asked: testKind }
  const getElapsedMs = () => Math.round(performance.now() - startedAt)
  const key = await chooseTestKey(services, person, provider)
  if ('error' in key) {
    const failed = { works: false, code: 'key-unreadable', error: key.error, model: null, run_id: null }
    return { ...commonFields, key_source: 'none', ...failed, ms: getElapsedMs() }
  }
  const runTest = (): Promise<ProviderTestOutcome> => {
    if (key.source === 'mock') return Promise.resolve(createKeyMissingOutcome(provider))
    if (testKind === 'voices') return requestVoices(services, person)
    return requestTestAnswer(services, person, { provider, messages }, timeoutMs)
  }
  const outcome = await runTest()
  return { ...commonFields, key_source: key.source, ...outcome, ms: getElapsedMs() }
}

async function chooseTestKey(services: Services, person: Person, provider: Provider) {
  try {
    const agent = { owner_id: null, visitors_spend_owner_key: false }
    return await chooseKey(services, { personId: person.id, agent }, provider)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { error: error.message }
  }
}

function createKeyMissingOutcome(provider: Provider): ProviderTestOutcome {
  const error = `There’s no ${getProviderName(provider)} key, so nothing was sent. Add one under Personal API Keys.`
  return { works: false, code: 'no-key', error, model: null, run_id: null }
}

async function requestVoices(services: Services, person: Person): Promise<ProviderTestOutcome> {
  const { problem } = await getVoiceList(services, person, { fresh: true })
  const works = problem === null
  return { works, code: works ? null : 'provider-failed', error: problem, model: null, run_id: null }
}

/** A minimal run with the key that pays for this person's runs. @throws Problem `over-budget` */
export async function requestTestAnswer(
  services: Services,
  person: Person,
  { provider, messages }: ProviderTestInput,
  timeoutMs: number,
): Promise<ProviderTestOutcome> {
  const agent = await buildTestAgent(services, person, provider, messages)
  const { model, max_tokens } = agent.model_settings
  const run = await startRun(services, { person, visitor: null }, agent, {
    input: joinMessages(messages, 'user') || 'ping',
    stream: false,
    origin: 'diagnostics',
    overrides: { model_provider: provider, model_settings: { model, max_tokens } },
  })
  let isTimedOut = false
  const timer = setTimeout(() => {
    isTimedOut = true
    run.abortController.abort('late')
  }, timeoutMs)
  await run.finished
  clearTimeout(timer)
  const { terminalEvent } = run
  const commonFields = { model, run_id: run.id }
  if (terminalEvent?.event === 'done') return { works: true, code: null, error: null, ...commonFields }
  if (isTimedOut) {
    const error = `${getProviderName(provider)} didn’t answer within ${Math.ceil(timeoutMs / 1000)} seconds. Try again in a moment.`
    return { works: false, code: 'provider-timeout', error, ...commonFields }
  }
  if (terminalEvent?.event !== 'error') throw new Error('a run ended without an outcome')
  return { works: false, code: terminalEvent.data.code, error: terminalEvent.data.message, ...commonFields }
}

async function buildTestAgent(
  services: Services,
  person: Person,
  provider: Provider,
  messages: ProviderTestInput['messages'],
): Promise<AgentRow> {
  const agent = await requireBuiltInAgent(services, 'type-agent', 'The built-in agents are missing. Repair them.')
  const { default_model: model } = await getModelList(services, person, { provider })
  const retry = { max_retries: 0, retry_delay_ms: 100 }
  return {
    ...agent,
    purpose: joinMessages(messages, 'system') || 'Answer with one word.',
    agent_class: 'Standard',
    context_scope: 'user_input',
    memory_enabled: false,
    tools: [],
    config: {},
    status: 'ready',
    model_provider: provider,
    model_settings: completeSettings(provider, { model, max_tokens: maxAnswerTokens, retry }),
  }
}

function joinMessages(messages: ProviderTestInput['messages'], role: 'system' | 'user'): string {
  return messages
    .filter((message) => message.role === role)
    .map(({ content }) => content)
    .join('\n')
    .trim()
}
