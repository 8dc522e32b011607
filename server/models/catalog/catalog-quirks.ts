import type { ProviderDefinition } from '../providers/provider.ts'
import { noQuirks, type Quirks } from '../quirks.ts'
import { getCatalog } from './catalog.ts'
import { getListedModel } from './listed-models.ts'

export function getCatalogQuirks(provider: ProviderDefinition, baseUrl: string, model: string): Quirks | undefined {
  const entry = getCatalog().findAnywhere(provider.id, model)
  const listed = getListedModel(baseUrl, model)
  const expectedQuirks = entry
    ? {
        ...noQuirks,
        omitted: new Set(entry.refuses),
        ...(entry.provider === provider.id && { renamed: new Map(Object.entries(entry.renames ?? {})) }),
      }
    : provider.getExpectedQuirks?.(model)
  if (!listed?.refuses?.length) return expectedQuirks
  return { ...noQuirks, ...expectedQuirks, omitted: new Set([...(expectedQuirks?.omitted ?? []), ...listed.refuses]) }
}
