import { sql } from 'kysely'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { readPageSystemFirst } from '#server/http/pages.ts'
import { Reply, type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import {
  assignKeeperType,
  listAgentsOfKeeperType,
  listKeeperTypesOfAgent,
  unassignKeeperType,
} from './assign-keeper-type.ts'
import { createKeeperType } from './create-keeper-type.ts'
import { linkTemplate, listTemplatesOfType, unlinkTemplate } from './link-template.ts'
import { orderTemplates } from './order-templates.ts'
import { removeKeeperType } from './remove-keeper-type.ts'
import { updateKeeperType } from './update-keeper-type.ts'
import { queryVisibleKeeperTypes, toKeeperTypes } from './visible-keeper-types.ts'

const typeBytes = sql<number>`octet_length(description)`

export function keeperTypeRoutes(services: Services): ServedCall[] {
  return serveArea('keeperTypes', keeperTypes, {
    list: async ({ person, query }) => {
      const { rows, next_cursor } = await readPageSystemFirst(
        queryVisibleKeeperTypes(services, person),
        query.cursor,
        typeBytes,
      )
      return new Reply(await toKeeperTypes(services, rows, person), { extra: { next_cursor } })
    },
    create: ({ person, body }) => createKeeperType(services, person, body),
    update: ({ person, params, body, ifMatch }) => updateKeeperType(services, person, params.id, body, ifMatch),
    remove: async ({ person, params }) => {
      await removeKeeperType(services, person, params.id)
      return {}
    },
    templates: ({ person, params }) => listTemplatesOfType(services, person, params.id),
    linkTemplate: async ({ person, params }) => {
      await linkTemplate(services, person, params)
      return {}
    },
    unlinkTemplate: async ({ person, params }) => {
      await unlinkTemplate(services, person, params)
      return {}
    },
    orderTemplates: ({ person, params, body }) => orderTemplates(services, person, params.id, body.templateIds),
    agents: ({ person, params }) => listAgentsOfKeeperType(services, person, params.id),
    ofAgent: ({ person, params }) => listKeeperTypesOfAgent(services, person, params.agentId),
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
