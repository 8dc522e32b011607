import { checkBaseUrl } from '#contract/providers/check-base-url.ts'
import type { ModelService } from '#contract/providers/model-services.ts'
import { trimEndOf } from '#contract/trim-end-of.ts'

export interface HeaderValues {
  /** Identifies the row, not the header. */
  key: number
  name: string
  value: string
  /** The server has a value, which an empty field keeps. */
  isSaved: boolean
}

export interface ServiceValues {
  id: string
  name: string
  baseUrl: string
  key: string
  headers: HeaderValues[]
}

interface ServicePreset {
  name: string
  id: string
  baseUrl: string
  headerName?: string
}

export const servicePresets: readonly ServicePreset[] = [
  { id: 'mistral', name: 'Mistral', baseUrl: 'https://api.mistral.ai/v1' },
  { id: 'groq', name: 'Groq', baseUrl: 'https://api.groq.com/openai/v1' },
  { id: 'deepseek', name: 'DeepSeek', baseUrl: 'https://api.deepseek.com' },
  { id: 'xai', name: 'xAI', baseUrl: 'https://api.x.ai/v1' },
  { id: 'openrouter', name: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1' },
  {
    id: 'azure',
    name: 'Azure OpenAI',
    baseUrl: 'https://YOUR-RESOURCE.openai.azure.com/openai/v1',
    headerName: 'api-key',
  },
  { id: 'ollama', name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { id: 'lm-studio', name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { id: 'vllm', name: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1' },
  { id: 'llama-cpp', name: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
]

let nextRow = 1
export const createHeader = (name = '', isSaved = false): HeaderValues => ({ key: nextRow++, name, value: '', isSaved })

export function toServiceValues(service: ModelService | undefined): ServiceValues {
  return {
    id: service?.id ?? '',
    name: service?.name ?? '',
    baseUrl: service?.base_url ?? '',
    key: '',
    headers: (service?.header_names ?? []).map((name) => createHeader(name, true)),
  }
}

/** Fills in what is empty or still of the preset before; everything that was typed stays. */
export function applyPreset(values: ServiceValues, presetId: string, previousId: string): ServiceValues {
  const find = (id: string) => servicePresets.find((preset) => preset.id === id)
  const previous = find(previousId)
  const next = find(presetId)
  const fill = (current: string, former: string | undefined, filled: string | undefined) =>
    current.trim() === '' || current === former ? (filled ?? '') : current
  const formerUrls = previous && [previous.baseUrl, correctBaseUrl(previous.baseUrl).baseUrl]
  const typed = values.headers.filter(({ name, value }) => value !== '' || name !== (previous?.headerName ?? ''))
  const isNamed = typed.some(({ name }) => name === next?.headerName)
  return {
    ...values,
    id: fill(values.id, previous?.id, next?.id),
    name: fill(values.name, previous?.name, next?.name),
    baseUrl: formerUrls?.includes(values.baseUrl)
      ? (next?.baseUrl ?? '')
      : fill(values.baseUrl, undefined, next?.baseUrl),
    headers: next?.headerName && !isNamed ? [...typed, createHeader(next.headerName)] : typed,
  }
}

/** An id that the rule of ids takes, as far as the name has letters for it. */
export function suggestId(name: string): string {
  const id = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
  return trimEndOf(id.slice(0, 40), /-/)
}

/** The address of a preset that wants the name of a resource first. */
const isPlaceholder = (baseUrl: string) => /\bYOUR-RESOURCE\b/i.test(baseUrl)

/** The address as it will be called, with the reason in words where it differs from what was typed. */
export function correctBaseUrl(text: string): { baseUrl: string; note?: string; error?: string } {
  if (text.trim() === '') return { baseUrl: text }
  const checked = checkBaseUrl('/v1', text)
  if (isPlaceholder(text)) return { baseUrl: text, error: 'Put the name of your resource in place of YOUR-RESOURCE.' }
  if ('refusal' in checked) return { baseUrl: text, error: `The base URL ${checked.refusal}.` }
  // Without its end the next check would correct what is meant to stay.
  if (text.trim().endsWith('#')) return { baseUrl: text, note: 'Taken as it is, because it ends with #.' }
  return {
    baseUrl: `${checked.baseUrl}${checked.query}`,
    ...(checked.note && { note: toSentence(checked.note) }),
  }
}

export const toSentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
