import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { assignKeeperType, keeperTypesOfAgent, unassignKeeperType } from './assign-keeper-type.ts'
import { createKeeperType } from './create-keeper-type.ts'
import { keeperTypeView, visibleKeeperTypes } from './visible-keeper-types.ts'

export function keeperTypeRoutes(services: Services): ServedCall[] {
  return serveArea('keeperTypes', keeperTypes, {
    list: async ({ person }) => (await visibleKeeperTypes(services, person).execute()).map(keeperTypeView),
    create: ({ person, body }) => createKeeperType(services, person, body),
    ofAgent: ({ person, params }) => keeperTypesOfAgent(services, person, params.agentId),
    assign: async ({ person, params }) => {
      await assignKeeperType(services, person, params)
      return {}
    },
    unassign: async ({ person, params }) => {
      await unassignKeeperType(services, person, params)
      return {}
    },
  })
}
