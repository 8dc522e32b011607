import { models } from '#contract/agents/models.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { getModelList, getVoiceList } from './provider-lists.ts'
import { listRetiringModels } from './retiring-models.ts'

export function modelListRoutes(services: Services): ServedCall[] {
  return serveArea('models', models, {
    list: ({ person, query }) =>
      getModelList(services, person, { provider: query.provider, fresh: query.fresh === 'true' }),
    retiring: ({ person }) => listRetiringModels(services, person),
    voices: ({ person, query }) => getVoiceList(services, person, { fresh: query.fresh === 'true' }),
  })
}
