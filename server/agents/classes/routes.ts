import { agentClassCalls } from '#contract/agents/agent-classes.ts'
import { listEntries } from '#server/catalog/catalog.ts'
import { removeEntry, updateEntry } from '#server/catalog/save-entry.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { agentClassKind, createClass, selectVisibleClasses } from './class-catalog.ts'

export function agentClassRoutes(services: Services): ServedCall[] {
  return serveArea('agentClasses', agentClassCalls, {
    list: ({ person, query: { cursor } }) =>
      listEntries(services, person, agentClassKind, { query: selectVisibleClasses(services, person), cursor }),
    create: ({ person, body }) => createClass(services, person, body),
    update: ({ person, params, body, ifMatch }) =>
      updateEntry(services, person, agentClassKind, { id: params.id, changes: body, ifMatch }),
    remove: ({ person, params }) => removeEntry(services, person, agentClassKind, params.id),
  })
}
