import { models } from '#contract/agents/models.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { listEndingModels } from './ending-models.ts'
import { modelList, voiceList } from './provider-lists.ts'

export function modelListRoutes(services: Services): ServedCall[] {
  return serveArea('models', models, {
    list: ({ person, query }) =>
      modelList(services, person, { provider: query.provider, fresh: query.fresh === 'true' }),
    ending: ({ person }) => listEndingModels(services, person),
    voices: ({ person, query }) => voiceList(services, person, { fresh: query.fresh === 'true' }),
  })
}
