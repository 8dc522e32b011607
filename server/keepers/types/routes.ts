import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { Problem } from '#server/http/problem.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { assignKeeperType, keeperTypesOfAgent, unassignKeeperType } from './assign-keeper-type.ts'
import { createKeeperType } from './create-keeper-type.ts'
import { keeperTypeView, visibleKeeperTypes } from './visible-keeper-types.ts'

const unbuilt = () => {
  throw new Problem('unprocessable', { message: 'This is not built yet.' })
}

export function keeperTypeRoutes(services: Services): ServedCall[] {
  return serveArea('keeperTypes', keeperTypes, {
    list: async ({ person }) =>
      (await visibleKeeperTypes(services, person).execute()).map((row) => keeperTypeView(row, person)),
    create: ({ person, body }) => createKeeperType(services, person, body),
    update: unbuilt,
    remove: unbuilt,
    templates: unbuilt,
    linkTemplate: unbuilt,
    unlinkTemplate: unbuilt,
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
