import { expect, it } from 'vitest'
import type { ModelService } from '#contract/providers/model-services.ts'
import {
  applyPreset,
  blankService as blank,
  correctBaseUrl,
  createHeader,
  formatServiceField,
  servicePresets,
  suggestId,
  toServiceBody,
  toServiceValues,
} from './service-values.ts'

it('a preset fills empty fields, and the next one only fields not typed in', () => {
  const mistral = applyPreset(blank, 'mistral', '')
  expect(mistral).toMatchObject({ id: 'mistral', name: 'Mistral', base_url: 'https://api.mistral.ai/v1', headers: [] })
  const azure = applyPreset({ ...mistral, name: 'Ours' }, 'azure', 'mistral')
  expect(azure).toMatchObject({ id: 'azure', name: 'Ours', headers: [{ name: 'api-key', value: '' }] })
  expect(applyPreset(azure, '', 'azure')).toMatchObject({ id: '', name: 'Ours', base_url: '', headers: [] })
  const typed = { ...azure, headers: [{ ...createHeader('api-key'), value: 'typed' }] }
  expect(applyPreset(typed, 'groq', 'azure').headers).toMatchObject([{ name: 'api-key', value: 'typed' }])
})

it('a corrected preset address still counts as the preset’s', () => {
  const corrected = { ...applyPreset(blank, 'deepseek', ''), base_url: 'https://api.deepseek.com/v1' }
  expect(applyPreset(corrected, 'xai', 'deepseek').base_url).toBe('https://api.x.ai/v1')
})

it.each(servicePresets)('the address of $name is valid once it names a resource', ({ id, baseUrl }) => {
  expect(correctBaseUrl(baseUrl).error).toBe(
    id === 'azure' ? 'Replace YOUR-RESOURCE with the name of your resource.' : undefined,
  )
  expect(correctBaseUrl(baseUrl.replace('YOUR-RESOURCE', 'ours')).error).toBeUndefined()
})

it('a corrected address gets a note, a refused one stays as typed', () => {
  expect(correctBaseUrl('http://127.0.0.1:11434/v1/chat/completions')).toEqual({
    baseUrl: 'http://127.0.0.1:11434/v1',
    note: '/chat/completions at the end was removed, so Keeper calls http://127.0.0.1:11434/v1.',
  })
  expect(correctBaseUrl('localhost:11434')).toEqual({
    baseUrl: 'localhost:11434',
    error: 'The base URL must be an address starting with http:// or https://, such as http://127.0.0.1:11434/v1.',
  })
  expect(correctBaseUrl('https://api.perplexity.ai#').baseUrl).toBe('https://api.perplexity.ai#')
  expect(correctBaseUrl('')).toEqual({ baseUrl: '' })
})

it.each([
  ['Azure OpenAI', 'azure-openai'],
  ['  llama.cpp  ', 'llama-cpp'],
  ['Zoë’s Modelle', 'zoe-s-modelle'],
  ['模型', ''],
])('the name %j suggests the id %j', (name, id) => {
  expect(suggestId(name)).toBe(id)
})

const service = {
  id: 'ours',
  name: 'Ours',
  base_url: 'https://api.ours.example/v1',
  header_names: ['api-key'],
} as ModelService

it('empty secret fields keep the saved values, and an unchanged base URL isn’t sent', () => {
  const saved = toServiceValues(service)
  expect(toServiceBody({ ...saved, headers: [...saved.headers, createHeader()] }, service)).toEqual({
    name: 'Ours',
    headers: [{ name: 'api-key' }],
  })
  const headers = saved.headers.map((header) => ({ ...header, value: 'new value' }))
  expect(toServiceBody({ ...saved, base_url: 'https://api.new.example/v1', key: 'new key', headers }, service)).toEqual(
    {
      name: 'Ours',
      base_url: 'https://api.new.example/v1',
      key: 'new key',
      headers: [{ name: 'api-key', value: 'new value' }],
    },
  )
})

it('a conflict shows no secrets', () => {
  expect(formatServiceField('key', 'sk-secret')).not.toContain('sk-secret')
  expect(formatServiceField('headers', [{ ...createHeader('api-key'), value: 'sk-secret' }])).toBe('api-key')
  expect(formatServiceField('name', 'Ours')).toBeUndefined()
})
