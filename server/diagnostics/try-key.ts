import type { Provider } from '#contract/agents/model-settings.ts'
import type { KeyTrial } from '#contract/keys/keys.ts'
import type { ServiceTrial } from '#contract/providers/model-services.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireBuiltInAgent } from '#server/agents/intent/propose-agent.ts'
import { fetchModelList, fetchVoicesForKey } from '#server/agents/model-lists/provider-lists.ts'
import { Problem } from '#server/http/problem.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import { type ChosenKey, chooseKey, choosePlatformKey, openSavedKey } from '#server/keys/choose-key.ts'
import { requireModelService } from '#server/keys/model-services/model-services.ts'
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
  await requireAttempt(services, keyTrialThrottle, person.id, 'Keys were tested too often. Wait a minute.')
  const key = await openSavedKey(services, owner, provider)
  const verdict = await checkKey(services, person, provider, key)
  return { ...verdict, kip_answers: verdict.outcome === 'accepted' && (await hasKipKey(services, person)) }
}

async function checkKey(services: Services, person: Person, provider: Provider, key: ChosenKey): Promise<KeyVerdict> {
  const providerLabel = key.baseUrl ? new URL(key.baseUrl).host : getProviderName(provider)
  const accepted: KeyVerdict = { outcome: 'accepted', message: `${providerLabel} accepts this key.` }
  const modelList = await fetchModelList(services, key, { provider, fresh: true })
  if (modelList.items) {
    if (key.baseUrl === null || provider === 'elevenlabs') return accepted
    // Gateways and local servers list their models without a key, which proves nothing.
    const listWithoutKey = await fetchModelList(services, { ...key, key: null, payer: null }, { provider, fresh: true })
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

const serviceTrialThrottle = { kind: 'service-trial', limit: 20, windowMs: 60_000 }
const maxNamedModels = 3

/** An unreachable service is a result, not an error. @throws Problem `not-found`, `too-many` */
export async function tryModelService(services: Services, person: Person, id: string): Promise<ServiceTrial> {
  const { name, problem } = await requireModelService(services, id)
  await requireAttempt(services, serviceTrialThrottle, person.id, 'Services were tested too often. Wait a minute.')
  if (problem) return { works: false, message: problem }
  const key = await choosePlatformKey(services, id)
  const { items, problem: failure } = await fetchModelList(services, key, { provider: id, fresh: true })
  if (items === null)
    return {
      works: false,
      message: `${name} is saved, but its list of models couldn’t be read. ${failure} You can still type a model’s name in an agent’s form.`,
    }
  const names = items.slice(0, maxNamedModels).map((model) => model.id)
  const count = items.length === 1 ? '1 model' : `${items.length} models`
  const andOthers = items.length > names.length ? ', and others' : ''
  return { works: true, message: `${name} answers with ${count}: ${names.join(', ')}${andOthers}.` }
}
