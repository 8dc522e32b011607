import { sql } from 'kysely'
import { agentClassCalls } from '#contract/agents/agent-classes.ts'
import { readPageSystemFirst } from '#server/http/pages.ts'
import { Reply, type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { removeClass } from './remove-class.ts'
import { createClass, updateClass } from './save-class.ts'
import { selectVisibleClasses, toClassViews } from './visible-classes.ts'

const classBytes = sql<number>`octet_length(description) + octet_length(cast(defaults as text))`

export function agentClassRoutes(services: Services): ServedCall[] {
  return serveArea('agentClasses', agentClassCalls, {
    list: async ({ person, query }) => {
      const { rows, next_cursor } = await readPageSystemFirst(
        selectVisibleClasses(services, person),
        query.cursor,
        classBytes,
      )
      return new Reply(await toClassViews(services, rows, person), { extra: { next_cursor } })
    },
    create: ({ person, body }) => createClass(services, person, body),
    update: ({ person, params, body, ifMatch }) => updateClass(services, person, params.id, body, ifMatch),
    remove: async ({ person, params }) => {
      await removeClass(services, person, params.id)
      return {}
    },
  })
}
