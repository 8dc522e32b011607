import { LruMap } from '#contract/lru-map.ts'
import { getCatalog } from './catalog/catalog.ts'
import { getListedModel } from './catalog/listed-models.ts'
import { toModelKey } from './provider-address.ts'
import type { ProviderDefinition } from './providers/provider.ts'

/** Changes that a model needs in its requests: fields to omit, rename or add. */
export interface Quirks {
  omitted: ReadonlySet<string>
  renamed: ReadonlyMap<string, string>
  added: ReadonlyMap<string, string>
  maxTokens?: number
  window?: number
  /** The system prompt goes into the first message of the user instead. */
  hasNoSystemRole?: boolean
  api?: 'responses' | 'chat-completions'
}

export const noQuirks: Quirks = { omitted: new Set(), renamed: new Map(), added: new Map() }

export function mergeQuirks(existing: Quirks | undefined, learned: Quirks): Quirks {
  if (!existing) return learned
  return {
    ...existing,
    ...learned,
    omitted: new Set([...existing.omitted, ...learned.omitted]),
    renamed: new Map([...existing.renamed, ...learned.renamed]),
    added: new Map([...existing.added, ...learned.added]),
  }
}

const maxLearnedQuirks = 2000
const learnedQuirks = new LruMap<string, Quirks>(maxLearnedQuirks)

export function getQuirks(baseUrl: string, model: string): Quirks {
  return learnedQuirks.get(toModelKey(baseUrl, model)) ?? noQuirks
}

export function rememberQuirks(baseUrl: string, model: string, quirks: Quirks): void {
  const key = toModelKey(baseUrl, model)
  learnedQuirks.set(key, mergeQuirks(learnedQuirks.get(key), quirks))
}

export function forgetQuirks(): void {
  learnedQuirks.clear()
}

export function getCatalogQuirks(provider: ProviderDefinition, baseUrl: string, model: string): Quirks | undefined {
  const entry = getCatalog().findAnywhere(provider.id, model)
  const listed = getListedModel(baseUrl, model)
  const expectedQuirks = entry
    ? {
        ...noQuirks,
        omitted: new Set(entry.refusedSettings),
        ...(entry.provider === provider.id && { renamed: new Map(Object.entries(entry.renames ?? {})) }),
      }
    : provider.getExpectedQuirks?.(model)
  if (!listed?.refusedSettings?.length) return expectedQuirks
  return {
    ...noQuirks,
    ...expectedQuirks,
    omitted: new Set([...(expectedQuirks?.omitted ?? []), ...listed.refusedSettings]),
  }
}

export function applyQuirks(
  body: Record<string, unknown>,
  { omitted, renamed, added }: Quirks,
): Record<string, unknown> {
  if (omitted.size + renamed.size + added.size === 0) return body
  const adaptedBody = adaptFields(body, '', { omitted, renamed })
  return { ...adaptedBody, ...Object.fromEntries([...added].filter(([name]) => !omitted.has(name))) }
}

function adaptFields(
  fields: Record<string, unknown>,
  prefix: string,
  { omitted, renamed }: Pick<Quirks, 'omitted' | 'renamed'>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const path = prefix + name
      if (omitted.has(path)) return []
      const isGroup = groupedFields.has(path) && typeof value === 'object' && value !== null
      const adaptedValue = isGroup
        ? adaptFields(value as Record<string, unknown>, `${path}.`, { omitted, renamed })
        : value
      return [[renamed.get(path) ?? name, adaptedValue]]
    }),
  )
}

export const groupedFields: ReadonlySet<string> = new Set(['generationConfig', 'reasoning', 'stream_options'])
