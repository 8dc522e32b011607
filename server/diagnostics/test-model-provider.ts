import { completeSettings, type Provider } from '#contract/agents/model-settings.ts'
import type { ModelProviderTest } from '#contract/diagnostics/diagnostics.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import type { Person } from '#server/accounts/person.ts'
import type { AgentRow } from '#server/agents/agent-row.ts'
import { requireBuiltIn } from '#server/agents/intent/built-in.ts'
import { modelList, voiceList } from '#server/agents/model-lists/provider-lists.ts'
import { startRun } from '#server/agents/runs/start-run.ts'
import { Problem } from '#server/http/problem.ts'
import { countTry } from '#server/http/throttle.ts'
import { chooseKey } from '#server/keys/choose-key.ts'
import type { Services } from '#server/services.ts'

interface Asked {
  provider: Provider
  messages: { role: 'system' | 'user' | 'assistant'; content: string }[]
}
export interface Tested extends ModelProviderTest {
  error: string | null
}
type Ending = Pick<Tested, 'works' | 'code' | 'error' | 'model' | 'run_id'>

const tries = { kind: 'model-provider-test', limit: 24, windowMs: 60_000 }
const defaultPatienceMs = 20_000

/** One tiny real call with the key that would pay for runs; a failing provider is a result. @throws `too-many`, `over-budget` */
export async function testModelProvider(
  services: Services,
  person: Person,
  { provider, messages }: Asked,
  patienceMs = defaultPatienceMs,
): Promise<Tested> {
  const { within, waitSeconds } = await countTry(services, tries, person.id)
  if (!within) {
    throw new Problem('too-many', {
      message: 'Providers were tested too often. Wait a minute.',
      retryAfterSeconds: waitSeconds,
    })
  }
  const started = performance.now()
  const asked = provider === 'elevenlabs' ? ('voices' as const) : ('answer' as const)
  const about = { provider, asked }
  const took = () => Math.round(performance.now() - started)
  const key = await keyFor(services, person, provider)
  if ('error' in key) {
    const failed = { works: false, code: 'key-unreadable', error: key.error, model: null, run_id: null }
    return { ...about, key_source: 'none', ...failed, ms: took() }
  }
  const ending =
    key.source === 'mock'
      ? noKey(provider)
      : provider === 'elevenlabs'
        ? await askForVoices(services, person)
        : await askForAnswer(services, person, { provider, messages }, patienceMs)
  return { ...about, key_source: key.source, ...ending, ms: took() }
}

async function keyFor(services: Services, person: Person, provider: Provider) {
  try {
    const agent = { owner_id: null, visitors_spend_owner_key: false }
    return await chooseKey(services, { personId: person.id, agent }, provider)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { error: error.message }
  }
}

function noKey(provider: Provider): Ending {
  const error = `There’s no ${getProviderName(provider)} key, so nothing was sent. Add one under Personal API Keys.`
  return { works: false, code: 'no-key', error, model: null, run_id: null }
}

async function askForVoices(services: Services, person: Person): Promise<Ending> {
  const { problem } = await voiceList(services, person, { fresh: true })
  const works = problem === null
  return { works, code: works ? null : 'provider-failed', error: problem, model: null, run_id: null }
}

/** A minimal run with the key that pays for this person's runs. @throws Problem `over-budget` */
export async function askForAnswer(
  services: Services,
  person: Person,
  { provider, messages }: Asked & { provider: Provider },
  patienceMs: number,
): Promise<Ending> {
  const agent = await asTested(services, person, provider, messages)
  const { model, max_tokens } = agent.model_settings
  const run = await startRun(services, { person, visitor: null }, agent, {
    input: wordsOf(messages, 'user') || 'ping',
    stream: false,
    origin: 'diagnostics',
    overrides: { model_provider: provider, model_settings: { model, max_tokens } },
  })
  let late = false
  const patience = setTimeout(() => {
    late = true
    run.abort.abort('late')
  }, patienceMs)
  await run.finished
  clearTimeout(patience)
  const { ending } = run
  const about = { model, run_id: run.id }
  if (ending?.event === 'done') return { works: true, code: null, error: null, ...about }
  if (late) {
    const error = `${getProviderName(provider)} didn’t answer within ${Math.ceil(patienceMs / 1000)} seconds. Try again in a moment.`
    return { works: false, code: 'provider-timeout', error, ...about }
  }
  if (ending?.event !== 'error') throw new Error('a run ended without an outcome')
  return { works: false, code: ending.data.code, error: ending.data.message, ...about }
}

/** A built-in agent with this provider, without memory and with minimal output. */
async function asTested(
  services: Services,
  person: Person,
  provider: Provider,
  messages: Asked['messages'],
): Promise<AgentRow> {
  const agent = await requireBuiltIn(services, 'type-agent', 'The built-in agents are missing. Repair them.')
  const { default_model: model } = await modelList(services, person, { provider })
  const retry = { max_retries: 0, retry_delay_ms: 100 }
  return {
    ...agent,
    purpose: wordsOf(messages, 'system') || 'Answer with one word.',
    agent_class: 'Standard',
    context_scope: 'user_input',
    memory_enabled: false,
    tools: [],
    config: {},
    status: 'ready',
    model_provider: provider,
    model_settings: completeSettings(provider, { model, max_tokens: 16, retry }),
  }
}

function wordsOf(messages: Asked['messages'], role: 'system' | 'user'): string {
  return messages
    .filter((message) => message.role === role)
    .map(({ content }) => content)
    .join('\n')
    .trim()
}
