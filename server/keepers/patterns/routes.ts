import { sql } from 'kysely'
import { memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { readPageSystemFirst } from '#server/http/pages.ts'
import { Reply, type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { removePattern } from './remove-pattern.ts'
import { createPattern, updatePattern } from './save-pattern.ts'
import { queryVisiblePatterns, toMemoryPatterns } from './visible-patterns.ts'

const patternBytes = sql<number>`octet_length(description) + octet_length(cast(sections as text))`

export function memoryPatternRoutes(services: Services): ServedCall[] {
  return serveArea('memoryPatterns', memoryPatterns, {
    list: async ({ person, query }) => {
      const { rows, next_cursor } = await readPageSystemFirst(
        queryVisiblePatterns(services, person),
        query.cursor,
        patternBytes,
      )
      return new Reply(await toMemoryPatterns(services, rows, person), { extra: { next_cursor } })
    },
    create: ({ person, body }) => createPattern(services, person, body),
    update: ({ person, params, body, ifMatch }) => updatePattern(services, person, params.id, body, ifMatch),
    remove: async ({ person, params }) => {
      await removePattern(services, person, params.id)
      return {}
    },
  })
}
