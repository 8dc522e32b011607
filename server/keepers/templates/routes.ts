import { engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { listEntries, toEntryView } from '#server/catalog/catalog.ts'
import { removeEntry, updateEntry } from '#server/catalog/save-entry.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { answerStep } from './answer-step.ts'
import {
  createTemplate,
  isTemplateType,
  linkToKeeper,
  listTemplatesOfKeeper,
  queryVisibleTemplates,
  requireTemplateFor,
  templateKind,
  unlinkFromKeeper,
} from './template-catalog.ts'
import { abandonRun, listRuns, showRun, startTemplateRun } from './template-runs.ts'

export function templateRoutes(services: Services): ServedCall[] {
  return serveArea('engagementTemplates', engagementTemplates, {
    list: ({ person, query: { cursor } }) =>
      listEntries(services, person, templateKind, { query: queryVisibleTemplates(services, person), cursor }),
    find: async ({ person, params: { x }, query: { cursor } }) => {
      if (!isTemplateType(x))
        return toEntryView(services, person, templateKind, await requireTemplateFor(services, person, x))
      const query = queryVisibleTemplates(services, person).where('type', '=', x)
      return listEntries(services, person, templateKind, { query, cursor })
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
  })
}
