import type { Provider } from '#contract/agents/model-settings.ts'
import type { KeyTrial } from '#contract/keys/keys.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireBuiltInAgent } from '#server/agents/intent/built-in.ts'
import { fetchModelsForKey, fetchVoicesForKey } from '#server/agents/model-lists/provider-lists.ts'
import { Problem } from '#server/http/problem.ts'
import { countAttempts } from '#server/http/throttle.ts'
import { type ChosenKey, chooseKey, openSavedKey } from '#server/keys/choose-key.ts'
import type { Services } from '#server/services.ts'
import { requestTestAnswer } from './test-model-provider.ts'

const keyTrialThrottle = { kind: 'key-trial', limit: 20, windowMs: 60_000 }
const answerTimeoutMs = 5_000

type KeyVerdict = Pick<KeyTrial, 'outcome' | 'message'>

/** Checks a key by its list of models or a one-word answer; an unreachable provider is a result. @throws `not-found`, `too-many` */
export async function tryKey(
  services: Services,
  person: Person,
  { owner, provider }: { owner: string; provider: Provider },
): Promise<KeyTrial> {
  const { isWithinLimit, waitSeconds } = await countAttempts(services, keyTrialThrottle, person.id)
  if (!isWithinLimit)
    throw new Problem('too-many', {
      message: 'Keys were tested too often. Wait a minute.',
      retryAfterSeconds: waitSeconds,
    })
  const key = await openSavedKey(services, owner, provider)
  const verdict = await checkKey(services, person, provider, key)
  return { ...verdict, kip_answers: verdict.outcome === 'accepted' && (await hasKipKey(services, person)) }
}

async function checkKey(services: Services, person: Person, provider: Provider, key: ChosenKey): Promise<KeyVerdict> {
  const providerLabel = key.baseUrl ? new URL(key.baseUrl).host : getProviderName(provider)
  const accepted: KeyVerdict = { outcome: 'accepted', message: `${providerLabel} accepts this key.` }
  const modelList = await fetchModelsForKey(services, key, provider)
  if (modelList.items) {
    if (key.baseUrl === null || provider === 'elevenlabs') return accepted
    // Gateways and local servers list their models without a key, which proves nothing.
    const listWithoutKey = await fetchModelsForKey(services, { ...key, key: null, payer: null }, provider)
    if (listWithoutKey.items === null) return accepted
    const answer = await requestAnswer(services, person, provider, key)
    if (answer === 'works') return accepted
    return answer?.outcome === 'refused'
      ? answer
      : { outcome: 'accepted', message: `${providerLabel} lists its models, with or without a key.` }
  }
  const { code, status } = modelList.failure ?? {}
  const failed = toVerdict(code, status, modelList.problem)
  // A refused or missing list says nothing about other permissions of the key.
  const isListMissing =
    (code === 'key-rejected' && status === 403) || code === 'model-not-found' || code === 'provider-refused'
  if (!isListMissing) return failed
  if (provider !== 'elevenlabs') {
    const answer = await requestAnswer(services, person, provider, key)
    return answer === 'works' ? accepted : (answer ?? failed)
  }
  if ((await fetchVoicesForKey(services, key)) !== null) return accepted
  return status === 403
    ? { outcome: 'accepted', message: `${providerLabel} recognizes this key, but it can’t list models or voices.` }
    : failed
}

async function requestAnswer(
  services: Services,
  person: Person,
  provider: Provider,
  key: ChosenKey,
): Promise<'works' | KeyVerdict | undefined> {
  const { source, payer } = await chooseKey(services, { personId: person.id, agent: noAgent }, provider)
  if (source !== key.source || payer !== key.payer) return
  try {
    const messages = [{ role: 'user' as const, content: 'ping' }]
    const answer = await requestTestAnswer(services, person, { provider, messages }, answerTimeoutMs)
    return answer.works ? 'works' : toVerdict(answer.code ?? undefined, undefined, answer.error ?? '')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { outcome: 'unknown', message: `The key couldn’t be tested: ${error.message}` }
  }
}

const noAgent = { owner_id: null, visitors_spend_owner_key: false }

function toVerdict(code: string | undefined, status: number | undefined, text: string): KeyVerdict {
  const isRefused = (code === 'key-rejected' && status !== 403) || code === 'provider-quota'
  return isRefused
    ? { outcome: 'refused', message: text }
    : { outcome: 'unknown', message: `The key couldn’t be tested: ${text}` }
}

async function hasKipKey(services: Services, person: Person): Promise<boolean> {
  try {
    const kip = await requireBuiltInAgent(services, 'kip', 'Kip is missing.')
    return (await chooseKey(services, { personId: person.id, agent: kip }, kip.model_provider)).source !== 'mock'
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
