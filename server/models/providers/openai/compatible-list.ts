import { omitUndefined } from '../../chat-api.ts'
import { asObject } from '../../json-values.ts'
import { readCount, readDay, readListedPrice } from '../list-values.ts'
import type { ListedModel } from '../provider.ts'

const settingNames = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty']

/** Undefined for a model that isn't served. */
export function readCompatibleModel(entry: Record<string, unknown>): ListedModel | undefined {
  const id = readId(entry)
  if (id === undefined || entry.active === false) return undefined
  const { name, supported_parameters: parameters, deprecation_replacement_model: replacement } = entry
  const topProvider = asObject(entry.top_provider)
  const limits = asObject(entry.limits)
  const metadata = asObject(entry.metadata)
  const modelInfo = asObject(entry.model_info)
  return omitUndefined<ListedModel>({
    id,
    name: typeof name === 'string' ? name : undefined,
    window: readWindow(entry),
    maxOutput: findCount(
      topProvider.max_completion_tokens,
      entry.max_completion_tokens,
      entry.max_output_tokens,
      limits.max_output_tokens,
      metadata.max_tokens,
      modelInfo.max_output_tokens,
    ),
    refusedSettings: Array.isArray(parameters)
      ? settingNames.filter((setting) => !parameters.includes(setting))
      : undefined,
    price: readListedPrice(entry),
    shutdownDate: readShutdownDate(entry),
    lifecycle: entry.lifecycle_status === 'deprecated' ? 'deprecated' : undefined,
    replacement: typeof replacement === 'string' && replacement !== '' ? replacement : undefined,
    isForChat: isForOtherTask(entry) ? false : undefined,
  })
}

/** GitHub Models uses a registry address as id and accepts the name. */
function readId({ id, identifier, name }: Record<string, unknown>): string | undefined {
  const value = typeof id === 'string' && id.startsWith('azureml:') ? name : (id ?? identifier)
  return typeof value === 'string' ? value : undefined
}

const otherTaskPattern =
  /embed|rerank|moderation|transcri|text-to-(?:speech|image|video|audio)|^(?:tts|speech|image|video|audio)(?:-generation)?$/i

const otherTaskNamePattern =
  /(?:^|[^a-z])(?:embed(?:ding|dings|der)?|rerank(?:er)?|whisper|transcri(?:be|ption)|tts|dall-e|moderation)(?:[^a-z]|$)/i

function isForOtherTask(entry: Record<string, unknown>): boolean {
  const capabilities = asObject(entry.capabilities)
  const outputs = entry.supported_output_modalities ?? asObject(entry.architecture).output_modalities
  return (
    otherTaskNamePattern.test(readId(entry) ?? '') ||
    capabilities.completion_chat === false ||
    capabilities.chat_completion === false ||
    (Array.isArray(outputs) && outputs.length > 0 && !outputs.includes('text')) ||
    [entry.type, entry.task, entry.model_type].some((task) => typeof task === 'string' && otherTaskPattern.test(task))
  )
}

function readWindow(entry: Record<string, unknown>): number | undefined {
  const meta = asObject(entry.meta)
  return findCount(
    entry.loaded_context_length,
    meta.n_ctx,
    entry.max_model_len,
    asObject(entry.top_provider).context_length,
    entry.context_length,
    entry.context_window,
    entry.max_context_length,
    entry.max_input_tokens,
    asObject(entry.limits).max_input_tokens,
    asObject(entry.metadata).context_length,
    asObject(entry.model_info).max_input_tokens,
    meta.n_ctx_train,
  )
}

function findCount(...values: unknown[]): number | undefined {
  return values.map(readCount).find((count) => count !== undefined)
}

function readShutdownDate({ shutdown_date, expiration_date, deprecation }: Record<string, unknown>) {
  const { inference = deprecation } = asObject(deprecation)
  return readDay([shutdown_date, expiration_date, inference].find((value) => value !== undefined))
}

/** Uses only the query of OpenRouter's `links.next`, at the same address. */
export function getNextCompatiblePage({ links }: Record<string, unknown>): string | undefined {
  const { next } = asObject(links)
  const query = typeof next === 'string' ? URL.parse(next, 'https://same.address')?.search : ''
  return query || undefined
}
