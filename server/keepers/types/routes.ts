import { engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { listEntries, toEntryView } from '#server/catalog/catalog.ts'
import { removeEntry, updateEntry } from '#server/catalog/save-entry.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { createPattern, patternKind, toPatternColumns } from '../patterns/pattern-catalog.ts'
import { answerStep } from '../templates/answer-step.ts'
import {
  createTemplate,
  isTemplateType,
  linkToKeeper,
  listTemplatesOfKeeper,
  queryVisibleTemplates,
  requireTemplateFor,
  templateKind,
  unlinkFromKeeper,
} from '../templates/template-catalog.ts'
import { abandonRun, listRuns, showRun, startTemplateRun } from '../templates/template-runs.ts'
import { createKeeperType, keeperTypeKind } from './type-catalog.ts'
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

export function keeperCatalogRoutes(services: Services): ServedCall[] {
  return [
    ...serveArea('keeperTypes', keeperTypes, {
      list: ({ person, query }) => listEntries(services, person, keeperTypeKind, query.cursor),
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
    }),
    ...serveArea('memoryPatterns', memoryPatterns, {
      list: ({ person, query }) => listEntries(services, person, patternKind, query.cursor),
      create: ({ person, body }) => createPattern(services, person, body),
      update: ({ person, params, body, ifMatch }) =>
        updateEntry(services, person, patternKind, { id: params.id, changes: toPatternColumns(body), ifMatch }),
      remove: ({ person, params }) => removeEntry(services, person, patternKind, params.id),
    }),
    ...serveArea('engagementTemplates', engagementTemplates, {
      list: ({ person, query }) => listEntries(services, person, templateKind, query.cursor),
      find: async ({ person, params: { x }, query: { cursor } }) => {
        if (!isTemplateType(x))
          return toEntryView(services, person, templateKind, await requireTemplateFor(services, person, x))
        const ofType = queryVisibleTemplates(services, person).where('type', '=', x)
        return listEntries(services, person, templateKind, cursor, ofType)
      },
      create: ({ person, body }) => createTemplate(services, person, body),
      update: ({ person, params, body, ifMatch }) =>
        updateEntry(services, person, templateKind, { id: params.x, changes: body, ifMatch }),
      remove: ({ person, params }) => removeEntry(services, person, templateKind, params.x),
      ofKeeper: ({ person, params }) => listTemplatesOfKeeper(services, person, params.id),
      linkToKeeper: ({ person, params }) => linkToKeeper(services, person, params),
      unlinkFromKeeper: ({ person, params }) => unlinkFromKeeper(services, person, params),
      begin: ({ person, params, body }) => startTemplateRun(services, person, params.x, body),
      runsOfKeeper: ({ person, params, query }) => listRuns(services, person, params.id, query.cursor),
      showRun: ({ person, params }) => showRun(services, person, params.runId),
      answerStep: ({ person, params, body, ifMatch }) => answerStep(services, person, params.runId, body, ifMatch),
      abandon: ({ person, params }) => abandonRun(services, person, params.runId),
    }),
  ]
}
