import { trimEndMatching } from '#contract/linear-text.ts'
import { checkBaseUrl } from '#contract/providers/check-base-url.ts'
import type { ModelService } from '#contract/providers/model-services.ts'
import { createClientId } from '#web/offline/create-client-id.ts'

export interface HeaderValues {
  key: string
  name: string
  value: string
  /** The server has a value; leaving the field empty keeps it. */
  isSaved: boolean
}

export interface ServiceValues {
  id: string
  name: string
  base_url: string
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

export const createHeader = (name = '', { isSaved = false } = {}): HeaderValues => ({
  key: isSaved ? name : createClientId(),
  name,
  value: '',
  isSaved,
})

export const blankService: ServiceValues = { id: '', name: '', base_url: '', key: '', headers: [] }

export const toServiceValues = ({ id, name, base_url, header_names }: ModelService): ServiceValues => ({
  id,
  name,
  base_url,
  key: '',
  headers: header_names.map((headerName) => createHeader(headerName, { isSaved: true })),
})

/** Secrets left empty keep their saved value, and an unchanged base URL isn’t sent. */
export function toServiceBody({ name, base_url, key, headers }: ServiceValues, service: ModelService | undefined) {
  return {
    name,
    headers: headers
      .filter((header) => header.name.trim() !== '' || header.value !== '')
      .map((header) => ({ name: header.name, ...(header.value !== '' && { value: header.value }) })),
    ...(key.trim() !== '' && { key }),
    ...(base_url !== service?.base_url && { base_url }),
  }
}

/** Shows no secrets in a conflict. */
export function formatServiceField(name: string, value: unknown): string | undefined {
  if (name === 'headers') return (value as HeaderValues[]).map((header) => header.name).join(', ')
  return name === 'key' ? '••••••' : undefined
}

/** Fills empty fields and those still holding the previous preset; keeps everything typed. */
export function applyPreset(values: ServiceValues, presetId: string, previousId: string): ServiceValues {
  const findPreset = (id: string) => servicePresets.find((preset) => preset.id === id)
  const previous = findPreset(previousId)
  const next = findPreset(presetId)
  const fillField = (current: string, previousValue: string | undefined, presetValue: string | undefined) =>
    current.trim() === '' || current === previousValue ? (presetValue ?? '') : current
  const previousUrls = previous && [previous.baseUrl, correctBaseUrl(previous.baseUrl).baseUrl]
  // Without blank headers and the empty header of the previous preset.
  const typedHeaders = values.headers.filter(({ name, value }) => value !== '' || name !== (previous?.headerName ?? ''))
  const isNamed = typedHeaders.some(({ name }) => name === next?.headerName)
  return {
    ...values,
    id: fillField(values.id, previous?.id, next?.id),
    name: fillField(values.name, previous?.name, next?.name),
    base_url: previousUrls?.includes(values.base_url)
      ? (next?.baseUrl ?? '')
      : fillField(values.base_url, undefined, next?.baseUrl),
    headers: next?.headerName && !isNamed ? [...typedHeaders, createHeader(next.headerName)] : typedHeaders,
  }
}

/** May be empty when the name has no Latin letters or digits. */
export function suggestId(name: string): string {
  const id = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
  return trimEndMatching(id.slice(0, 40), /-/)
}

const isPlaceholder = (baseUrl: string) => /\bYOUR-RESOURCE\b/i.test(baseUrl)

export function correctBaseUrl(text: string): { baseUrl: string; note?: string; error?: string } {
  if (text.trim() === '') return { baseUrl: text }
  const checked = checkBaseUrl('/v1', text)
  if (isPlaceholder(text)) return { baseUrl: text, error: 'Replace YOUR-RESOURCE with the name of your resource.' }
  if ('refusal' in checked) return { baseUrl: text, error: `The base URL ${checked.refusal}.` }
  // The trailing # tells the next check to leave the URL alone.
  if (text.trim().endsWith('#')) return { baseUrl: text, note: 'Used exactly as typed, because it ends with #.' }
  return {
    baseUrl: `${checked.baseUrl}${checked.query}`,
    ...(checked.note && { note: toSentence(checked.note) }),
  }
}

export const toSentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
