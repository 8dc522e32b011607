import type { ModelService } from '#contract/providers/model-services.ts'
import { setConfiguredProviders } from '#contract/providers/registry.ts'
import { Problem } from '#server/http/problem.ts'
import { ProcessBus } from '#server/live/process-bus.ts'
import type { Services } from '#server/services.ts'
import type { ConfiguredService, Settings } from '#server/settings/settings.ts'
import { platformOwner } from '../provider-keys.ts'
import { openSealed, toModelServiceBinding } from '../sealer.ts'

const reloadMs = 30_000

interface StoredService extends ConfiguredService {
  problem?: string
}

export class ModelServices {
  #storedServices: readonly StoredService[] = []
  #requestedLoadCount = 0
  #latestLoadNumber = 0
  readonly #settings: Pick<Settings, 'services'>
  readonly #bus: ProcessBus

  constructor(settings: Pick<Settings, 'services'>, bus = new ProcessBus()) {
    this.#settings = settings
    this.#bus = bus
    this.#register()
  }

  find(id: string): StoredService | undefined {
    return (
      this.#settings.services.find((service) => service.id === id) ??
      this.#storedServices.find((candidate) => candidate.id === id)
    )
  }

  list(): readonly StoredService[] {
    const isHidden = (id: string) => this.#settings.services.some((service) => service.id === id)
    return [...this.#settings.services, ...this.#storedServices.filter(({ id }) => !isHidden(id))]
  }

  isFromSettings(id: string): boolean {
    return this.#settings.services.some((service) => service.id === id)
  }

  async loadChanged(services: Services): Promise<void> {
    this.#bus.send({ kind: 'model-services-changed' })
    await this.load(services)
  }

  async load(services: Services): Promise<void> {
    this.#requestedLoadCount += 1
    const loadNumber = this.#requestedLoadCount
    const rows = await services.db
      .selectFrom('model_services')
      .select(['id', 'name', 'base_url', 'sealed'])
      .orderBy('name')
      .orderBy('id')
      .execute()
    const storedServices = await Promise.all(
      rows.map(async ({ id, name, base_url: baseUrl, sealed }): Promise<StoredService> => {
        const text = await openSealed(services, sealed, toModelServiceBinding(id))
        const service = { id, name, key: null, baseUrl }
        if (text !== undefined) return { ...service, headers: JSON.parse(text) }
        services.log.error({ service: id }, 'the headers of a model service could not be decrypted')
        return {
          ...service,
          headers: {},
          problem: `The saved headers of ${name} can no longer be decrypted. Enter them again.`,
        }
      }),
    )
    // The load that started last wins, in whatever order concurrent ones finish.
    if (loadNumber < this.#latestLoadNumber) return
    this.#latestLoadNumber = loadNumber
    const previousJsonById = new Map(this.#storedServices.map((service) => [service.id, JSON.stringify(service)]))
    this.#storedServices = storedServices
    for (const service of storedServices)
      if (previousJsonById.get(service.id) !== JSON.stringify(service)) services.modelLists.forgetProvider(service.id)
    this.#register()
  }

  #register(): void {
    setConfiguredProviders(this.list().map(({ id, name }) => ({ id, name })))
  }
}

export async function syncModelServices(services: Services): Promise<() => void> {
  const { modelServices, bus, log } = services
  const load = () =>
    void modelServices
      .load(services)
      .catch((error: unknown) => log.error({ err: error }, 'model services could not be loaded'))
  const unsubscribers = [bus.on('model-services-changed', load), bus.onMissed(load)]
  await modelServices.load(services)
  const timer = setInterval(load, reloadMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    for (const unsubscribe of unsubscribers) unsubscribe()
  }
}

export async function listModelServices(services: Services): Promise<ModelService[]> {
  const serviceList = services.modelServices.list()
  if (serviceList.length === 0) return []
  const ids = serviceList.map(({ id }) => id)
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
  return serviceList.map(({ id, name, baseUrl, headers, problem = null }) => {
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
  if (!service) throw createServiceNotFoundProblem()
  return service
}

export const createServiceNotFoundProblem = () => new Problem('not-found', { message: 'This service doesn’t exist.' })
