import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { listEntries } from '#server/catalog/catalog.ts'
import { removeEntry, updateEntry } from '#server/catalog/save-entry.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { createKeeperType, keeperTypeKind, queryVisibleKeeperTypes } from './type-catalog.ts'
import {
  assignKeeperType,
  linkTemplate,
  listAgentsOfKeeperType,
  listKeeperTypesOfAgent,
  listTemplatesOfType,
  orderTemplates,
  unassignKeeperType,
  unlinkTemplate,
} from './type-links.ts'

export function keeperTypeRoutes(services: Services): ServedCall[] {
  return serveArea('keeperTypes', keeperTypes, {
    list: ({ person, query: { cursor } }) =>
      listEntries(services, person, keeperTypeKind, { query: queryVisibleKeeperTypes(services, person), cursor }),
    create: ({ person, body }) => createKeeperType(services, person, body),
    update: ({ person, params, body: { memoryPattern, ...columns }, ifMatch }) =>
      updateEntry(services, person, keeperTypeKind, {
        id: params.id,
        changes: { ...columns, memory_pattern: memoryPattern },
        ifMatch,
      }),
    remove: ({ person, params }) => removeEntry(services, person, keeperTypeKind, params.id),
    templates: ({ person, params }) => listTemplatesOfType(services, person, params.id),
    linkTemplate: ({ person, params }) => linkTemplate(services, person, params),
    unlinkTemplate: ({ person, params }) => unlinkTemplate(services, person, params),
    orderTemplates: ({ person, params, body }) => orderTemplates(services, person, params.id, body.templateIds),
    agents: ({ person, params }) => listAgentsOfKeeperType(services, person, params.id),
    ofAgent: ({ person, params }) => listKeeperTypesOfAgent(services, person, params.agentId),
    assign: ({ person, params }) => assignKeeperType(services, person, params),
    unassign: ({ person, params }) => unassignKeeperType(services, person, params),
  })
}
