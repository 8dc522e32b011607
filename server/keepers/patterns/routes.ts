import { memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { listEntries } from '#server/catalog/catalog.ts'
import { removeEntry, updateEntry } from '#server/catalog/save-entry.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { createPattern, patternKind, queryVisiblePatterns, toPatternColumns } from './pattern-catalog.ts'

export function memoryPatternRoutes(services: Services): ServedCall[] {
  return serveArea('memoryPatterns', memoryPatterns, {
    list: ({ person, query: { cursor } }) =>
      listEntries(services, person, patternKind, { query: queryVisiblePatterns(services, person), cursor }),
    create: ({ person, body }) => createPattern(services, person, body),
    update: ({ person, params, body, ifMatch }) =>
      updateEntry(services, person, patternKind, { id: params.id, changes: toPatternColumns(body), ifMatch }),
    remove: ({ person, params }) => removeEntry(services, person, patternKind, params.id),
  })
}
