import { engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { abandonRun } from './abandon-run.ts'
import { answerStep } from './answer-step.ts'
import { listRuns } from './list-runs.ts'
import { listTemplates } from './list-templates.ts'
import { removeTemplate } from './remove-template.ts'
import { createTemplate, updateTemplate } from './save-template.ts'
import { showRun } from './show-run.ts'
import { startTemplateRun } from './start-template-run.ts'
import { toTemplateView } from './template-view.ts'
import { linkToKeeper, listTemplatesOfKeeper, unlinkFromKeeper } from './templates-of-keeper.ts'
import { isTemplateType, requireTemplateFor } from './visible-templates.ts'

export function templateRoutes(services: Services): ServedCall[] {
  return serveArea('engagementTemplates', engagementTemplates, {
    list: ({ person, query }) => listTemplates(services, person, query),
    find: async ({ person, params: { x }, query }) =>
      isTemplateType(x)
        ? listTemplates(services, person, { ...query, type: x })
        : toTemplateView(services, await requireTemplateFor(services, person, x), person),
    create: ({ person, body }) => createTemplate(services, person, body),
    update: ({ person, params, body, ifMatch }) => updateTemplate(services, person, params.x, body, ifMatch),
    remove: async ({ person, params }) => {
      await removeTemplate(services, person, params.x)
      return {}
    },
    ofKeeper: ({ person, params }) => listTemplatesOfKeeper(services, person, params.id),
    linkToKeeper: async ({ person, params }) => {
      await linkToKeeper(services, person, params)
      return {}
    },
    unlinkFromKeeper: async ({ person, params }) => {
      await unlinkFromKeeper(services, person, params)
      return {}
    },
    begin: ({ person, params, body }) => startTemplateRun(services, person, params.x, body),
    runsOfKeeper: ({ person, params, query }) => listRuns(services, person, params.id, query.cursor),
    showRun: ({ person, params }) => showRun(services, person, params.runId),
    answerStep: ({ person, params, body, ifMatch }) => answerStep(services, person, params.runId, body, ifMatch),
    abandon: async ({ person, params }) => {
      await abandonRun(services, person, params.runId)
      return {}
    },
  })
}
