import type { ModelService } from '#contract/providers/model-services.ts'
import { Problem } from '#server/http/problem.ts'
import { platformOwner } from '#server/keys/provider-keys.ts'
import type { Services } from '#server/services.ts'

export async function listModelServices(services: Services): Promise<ModelService[]> {
  const list = services.modelServices.list()
  if (list.length === 0) return []
  const ids = list.map(({ id }) => id)
  const { db } = services
  const [rows, agents, keys] = await Promise.all([
    db.selectFrom('model_services').select(['id', 'rev']).execute(),
    db
      .selectFrom('agents')
      .select((select) => ['model_provider as id', select.fn.countAll<number>().as('count')])
      .where('model_provider', 'in', ids)
      .groupBy('model_provider')
      .execute(),
    db
      .selectFrom('provider_keys')
      .select((select) => ['provider as id', select.fn.countAll<number>().as('count')])
      .where('provider', 'in', ids)
      .where('owner', '!=', platformOwner)
      .groupBy('provider')
      .execute(),
  ])
  const getCount = (counts: { id: string; count: number }[], id: string) =>
    Number(counts.find((row) => row.id === id)?.count ?? 0)
  return list.map(({ id, name, baseUrl, headers, problem = null }) => {
    const isStored = !services.modelServices.isFromSettings(id)
    return {
      id,
      name,
      // The query in the settings could contain a secret.
      base_url: isStored ? baseUrl : (baseUrl.split('?')[0] ?? ''),
      header_names: Object.keys(headers),
      source: isStored ? 'stored' : 'environment',
      agents: getCount(agents, id),
      personal_keys: getCount(keys, id),
      problem,
      rev: rows.find((row) => row.id === id)?.rev ?? 1,
    }
  })
}

/** @throws Problem `not-found` */
export async function requireModelService(services: Services, id: string): Promise<ModelService> {
  const service = (await listModelServices(services)).find((modelService) => modelService.id === id)
  if (!service) throw new Problem('not-found', { message: 'This service doesn’t exist.' })
  return service
}
