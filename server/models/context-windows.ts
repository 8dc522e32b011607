import type { ModelSettings } from '#contract/agents/model-settings.ts'
import { getCatalog } from './catalog/catalog.ts'
import { getListedModel } from './catalog/listed-models.ts'
import type { Credential } from './model-request.ts'
import { getBaseUrl } from './provider-address.ts'
import { getProvider } from './providers/registry.ts'
import { getQuirks } from './quirks.ts'

/** Of a model that is not known: where it turns out to be less, the request is asked once more with less of the chat. */
const unknownWindow = 200_000
/** What an answer may take where its limit is left to the model. */
const usualMaxTokens = 8192
/** Characters / 4 counts too few tokens in many languages and in code. */
const trusted = 0.75

/**
 * The most a request may hold by our own estimate, so that what the model reads and `max_tokens` together fit it. What the
 * model at this address said in a refusal comes before what its provider lists, and that before the catalog.
 */
export function maxInputTokens(
  provider: string,
  { model, max_tokens }: Pick<ModelSettings, 'model' | 'max_tokens'>,
  credential: Pick<Credential, 'baseUrl'> = { baseUrl: null },
): number {
  // A voice is sent the text alone, and holds that to a limit of its own.
  if (provider === 'elevenlabs') return Number.POSITIVE_INFINITY
  const baseUrl = getBaseUrl(getProvider(provider), credential)
  const window =
    getQuirks(baseUrl, model).window ??
    getListedModel(baseUrl, model)?.window ??
    getCatalog().findAnywhere(provider, model)?.window ??
    unknownWindow
  return Math.max(0, Math.floor((window - (max_tokens ?? usualMaxTokens)) * trusted))
}
