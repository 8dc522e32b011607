import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { builtInProviders } from '#contract/providers/registry.ts'
import { getMaxInputTokens } from '../context-windows.ts'
import { PriceBook } from '../prices.ts'
import { getProvider } from '../providers/registry.ts'
import { getCatalogQuirks } from '../quirks.ts'
import { BadCatalog, getCatalog, loadCatalog, parseCatalog } from './catalog.ts'
import builtIn from './models.json' with { type: 'json' }

const folder = mkdtempSync(join(tmpdir(), 'keeper-catalog-'))
afterEach(() => loadCatalog(null))

const entry = { provider: 'openai', id: 'gpt-local', purpose: 'chat' }
const createCatalogFile = (models: unknown[], fields: object = {}) => ({
  keeper: 'model-catalog',
  format: 1,
  models,
  ...fields,
})

describe('the built-in catalog', () => {
  it('contains every model the forms offer', () => {
    for (const { id, offeredModels } of builtInProviders)
      for (const name of offeredModels) expect(getCatalog().find(id, name), name).toBeDefined()
  })

  it('recommends only models that are not shut down', () => {
    for (const { id, recommended, shutdownDate, isShutDown } of getCatalog().entries)
      if (recommended !== undefined)
        expect({ id, shutdownDate, isShutDown }).toEqual({ id, shutdownDate: undefined, isShutDown: undefined })
  })

  it('names a listed replacement for every retiring model', () => {
    for (const { provider, id, shutdownDate, isShutDown, replacement } of getCatalog().entries) {
      if (!shutdownDate && !isShutDown) continue
      const next = getCatalog().find(provider, replacement ?? '')
      expect(next, id).toBeDefined()
      expect(next?.shutdownDate, id).toBeUndefined()
      expect(next?.isShutDown, id).toBeUndefined()
    }
  })

  it('starts with luna, haiku 5.5 and gpt-transcribe', () => {
    expect(getCatalog().listRecommended('openai')[0]?.id).toBe('gpt-6-luna')
    expect(getCatalog().listRecommended('anthropic')[0]?.id).toBe('claude-haiku-5-5')
    expect(getCatalog().listRecommended('openai', 'transcription')[0]?.id).toBe('gpt-transcribe')
  })
})

describe('a name', () => {
  it.each([
    ['openai', 'gpt-4o-2024-08-06', 'gpt-4o'],
    ['openai', 'openai/gpt-4o', 'gpt-4o'],
    ['openai', 'ft:gpt-4o-2024-08-06:our-company::9A1b2', 'gpt-4o'],
    ['openai', 'azure:gpt-6-luna', 'gpt-6-luna'],
    ['my-gateway', 'anthropic/claude-haiku-5-5', 'claude-haiku-5-5'],
    ['my-gateway', 'openai/gpt-oss-120b', 'openai/gpt-oss-120b'],
  ])('the name of %s, %s, resolves to %s', (provider, model, id) => {
    expect(getCatalog().findAnywhere(provider, model)?.id).toBe(id)
  })

  it.each(['gpt-4o-next', 'constructor', '', '/', 'ft:', 'gpt-oss:20b'])('doesn’t guess %j', (model) => {
    expect(getCatalog().findAnywhere('openai', model)).toBeUndefined()
  })

  it('a prefixed name has the window of the bare name, and no price', () => {
    expect(getMaxInputTokens('openai', { model: 'openai/gpt-4', max_tokens: 1000 })).toBe(5_394)
    expect(new PriceBook().find('openai', 'openai/gpt-4')).toBeNull()
  })

  it('determines omitted fields by catalog or pattern', () => {
    const listOmittedFields = (id: string, model: string) => [
      ...(getCatalogQuirks(getProvider(id), '', model)?.omitted ?? []),
    ]
    expect(listOmittedFields('anthropic', 'claude-sonnet-5-5')).toContain('temperature')
    expect(listOmittedFields('anthropic', 'claude-sonnet-4-5-20250929')).toEqual([])
    expect(listOmittedFields('openai', 'gpt-6-luna')).toContain('top_p')
    expect(listOmittedFields('openai', 'gpt-9')).toContain('temperature')
    expect(listOmittedFields('openai', 'llama3:8b')).toEqual([])
    expect(getCatalogQuirks(getProvider('together'), '', 'openai/gpt-6-luna')?.renamed.size).toBe(0)
  })
})

describe('an operator catalog', () => {
  const load = (content: string) => {
    const path = join(folder, 'models.json')
    writeFileSync(path, content)
    loadCatalog(path)
  }

  it('replaces the built-in one', () => {
    load(JSON.stringify(createCatalogFile([{ ...entry, window: 4096, price: { input: 1, output: 2 } }])))
    expect(new PriceBook().find('openai', 'gpt-local')).toEqual({ input: 1, output: 2 })
    expect(new PriceBook().find('openai', 'gpt-4o')).toBeNull()
    expect(getMaxInputTokens('openai', { model: 'gpt-local', max_tokens: 96 })).toBe(3000)
  })

  it('the built-in catalog is valid', () => {
    expect(() => parseCatalog(builtIn)).not.toThrow()
  })

  it.each([
    [createCatalogFile([{ ...entry, window: '4096' }]), /entry 1 \(gpt-local\), window: must be a number/],
    [
      createCatalogFile([entry, { ...entry, id: 'b', price: { input: -1, output: 2 } }]),
      /entry 2 \(b\), price\.input: must be at least 0/,
    ],
    [createCatalogFile([{ ...entry, priec: 1 }]), /entry 1 \(gpt-local\).*priec is not a known field/],
    [createCatalogFile([{ ...entry, shutdownDate: 'soon' }]), /entry 1 \(gpt-local\), shutdownDate: must be a day/],
    [createCatalogFile([{ provider: 'openai', purpose: 'chat' }]), /entry 1 \(without an id\), id:/],
    [createCatalogFile([entry, entry]), /openai\/gpt-local is listed twice/],
    [createCatalogFile([entry], { format: 2 }), /format: must be one of 1/],
    [[], /file/],
  ])('is refused naming entry and field: %#', (value, message) => {
    expect(() => parseCatalog(value)).toThrow(BadCatalog)
    expect(() => parseCatalog(value)).toThrow(message)
  })

  it('is refused if unreadable, and the built-in catalog stays', () => {
    expect(() => loadCatalog(join(folder, 'missing.json'))).toThrow(/can’t be read/)
    expect(() => load('{')).toThrow(/isn’t valid JSON/)
    expect(getCatalog().find('openai', 'gpt-4o')).toBeDefined()
    rmSync(folder, { recursive: true })
  })
})
