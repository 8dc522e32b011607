import { echoes } from '#contract/keepers/echoes.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { trashEntry } from '../entries/trash-entry.ts'
import { listEchoes } from './echo-view.ts'
import { createEcho, deliverEcho, updateEcho } from './save-echo.ts'

export function echoRoutes(services: Services): ServedCall[] {
  return serveArea('echoes', echoes, {
    list: ({ person, params, query }) => listEchoes(services, person, params.id, query.cursor),
    create: ({ person, params, body }) => createEcho(services, person, params.id, body),
    update: ({ person, params, body, ifMatch }) => updateEcho(services, person, params.id, body, ifMatch),
    deliver: ({ person, params }) => deliverEcho(services, person, params.id),
    remove: ({ person, params }) => trashEntry(services, person, 'echo', params.id),
  })
}
