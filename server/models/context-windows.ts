import type { ModelSettings } from '#contract/agents/model-settings.ts'
import { getCatalog } from './catalog/catalog.ts'
import { getListedModel } from './catalog/listed-models.ts'
import { estimateInputTokens } from './estimate-tokens.ts'
import type { Credential, ModelRequest } from './model-request.ts'
import { getBaseUrl } from './provider-address.ts'
import { getProvider } from './providers/registry.ts'
import { getQuirks } from './quirks.ts'

/** For an unknown model. If its window is smaller, the request is retried with less of the chat. */
const assumedWindowTokens = 200_000
const defaultMaxTokens = 8192
/** Characters / 4 counts too few tokens in many languages and in code. */
const safetyFactor = 0.75

/** Minimum answer to a long request; below it, the request counts as too long. */
const minAnswerTokens = 256

type CredentialAddress = Pick<Credential, 'baseUrl'>

/** An answer limit above half the window is reduced. */
export function getMaxInputTokens(
  provider: string,
  { model, max_tokens }: Pick<ModelSettings, 'model' | 'max_tokens'>,
  credential: CredentialAddress = { baseUrl: null },
): number {
  // A voice receives only the text and has its own limit.
  if (provider === 'elevenlabs') return Number.POSITIVE_INFINITY
  const window = findModelWindow(provider, model, credential) ?? assumedWindowTokens
  const answerTokens = Math.min(max_tokens ?? defaultMaxTokens, window / 2)
  return Math.floor((window - answerTokens) * safetyFactor)
}

export function getMaxOutputTokens({
  provider,
  settings: { model },
  credential,
  ...request
}: Pick<ModelRequest, 'provider' | 'settings' | 'credential' | 'system' | 'messages' | 'tools'>): number {
  const maxOutput = getListedModel(getBaseUrl(getProvider(provider), credential), model)?.maxOutput
  const window = findModelWindow(provider, model, credential)
  const availableTokens =
    window === undefined ? undefined : Math.floor(window - estimateInputTokens(request) / safetyFactor)
  const fitsAnswer = availableTokens !== undefined && availableTokens >= minAnswerTokens
  return Math.min(maxOutput ?? Number.POSITIVE_INFINITY, fitsAnswer ? availableTokens : Number.POSITIVE_INFINITY)
}

function findModelWindow(provider: string, model: string, credential: CredentialAddress): number | undefined {
  const baseUrl = getBaseUrl(getProvider(provider), credential)
  return (
    getQuirks(baseUrl, model).window ??
    getListedModel(baseUrl, model)?.window ??
    getCatalog().findAnywhere(provider, model)?.window
  )
}
