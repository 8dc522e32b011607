import { keepers } from '#contract/keepers/keepers.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from './keeper-access.ts'
import { listKeepers, toKeeper } from './keeper-view.ts'
import { createKeeper, trashKeeper, updateKeeper } from './save-keeper.ts'

export function keeperRoutes(services: Services): ServedCall[] {
  return serveArea('keepers', keepers, {
    list: ({ person, query }) => listKeepers(services, person, query.cursor),
    show: async ({ person, params }) => toKeeper(services, await requireKeeperFor(services, person, params.id)),
    create: ({ person, body }) => createKeeper(services, person, body),
    update: ({ person, params, body, ifMatch }) => updateKeeper(services, person, params.id, body, ifMatch),
    remove: ({ person, params }) => trashKeeper(services, person, params.id),
  })
}
