import { setConfiguredProviders } from '#contract/providers/registry.ts'
import { openSealed, toModelServiceBinding } from '#server/keys/open-sealed.ts'
import { ProcessBus } from '#server/live/process-bus.ts'
import type { Services } from '#server/services.ts'
import type { ConfiguredService, Settings } from '#server/settings/settings.ts'

const reloadMs = 30_000

interface StoredService extends ConfiguredService {
  problem?: string
}

export class ModelServices {
  #stored: readonly StoredService[] = []
  #requestedLoads = 0
  #latestLoad = 0
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
      this.#stored.find((candidate) => candidate.id === id)
    )
  }

  list(): readonly StoredService[] {
    const isHidden = (id: string) => this.#settings.services.some((service) => service.id === id)
    return [...this.#settings.services, ...this.#stored.filter(({ id }) => !isHidden(id))]
  }

  isFromSettings(id: string): boolean {
    return this.#settings.services.some((service) => service.id === id)
  }

  async loadChanged(services: Services): Promise<void> {
    this.#bus.send({ kind: 'model-services-changed' })
    await this.load(services)
  }

  async load(services: Services): Promise<void> {
    this.#requestedLoads += 1
    const load = this.#requestedLoads
    const rows = await services.db
      .selectFrom('model_services')
      .select(['id', 'name', 'base_url', 'sealed'])
      .orderBy('name')
      .orderBy('id')
      .execute()
    const stored = await Promise.all(
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
    // Of concurrent loads the latest request wins, in whatever order they finish.
    if (load < this.#latestLoad) return
    this.#latestLoad = load
    const previous = new Map(this.#stored.map((service) => [service.id, JSON.stringify(service)]))
    this.#stored = stored
    for (const service of stored)
      if (previous.get(service.id) !== JSON.stringify(service)) services.lists.forgetProvider(service.id)
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
