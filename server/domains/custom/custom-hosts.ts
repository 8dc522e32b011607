import type { Database } from '#server/db/database.ts'
import type { Site } from '#server/http/host-check.ts'
import { ProcessBus } from '#server/live/process-bus.ts'
import type { Services } from '#server/services.ts'

const reloadIntervalMs = 30_000

export class CustomHosts {
  #hosts = new Map<string, Site>()
  #lastRequested = 0
  #lastApplied = 0
  readonly #bus: ProcessBus

  constructor(bus = new ProcessBus()) {
    this.#bus = bus
  }

  find(hostname: string): Site | undefined {
    return this.#hosts.get(hostname)
  }

  /** Call after a committed change; notifies other processes. */
  async loadChanged(db: Database): Promise<void> {
    this.#bus.send({ kind: 'hosts-changed' })
    await this.load(db)
  }

  async load(db: Database): Promise<void> {
    this.#lastRequested += 1
    const requestNumber = this.#lastRequested
    const rows = await db
      .selectFrom('domains')
      .select(['id', 'custom_domain'])
      .where('custom_domain_verified', '=', true)
      .where('custom_domain', 'is not', null)
      .execute()
    // Of concurrent loads the latest request wins, in whatever order they finish.
    if (requestNumber < this.#lastApplied) return
    this.#lastApplied = requestNumber
    this.#hosts = new Map(rows.map((row) => [row.custom_domain as string, { domainId: row.id }]))
  }
}

export async function syncCustomHosts({ customHosts, db, log, bus }: Services): Promise<() => void> {
  const load = () =>
    void customHosts.load(db).catch((error: unknown) => log.error({ err: error }, 'custom domains could not be loaded'))
  const unsubscribers = [bus.on('hosts-changed', load), bus.onMissed(load)]
  await customHosts.load(db)
  const timer = setInterval(load, reloadIntervalMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    for (const unsubscribe of unsubscribers) unsubscribe()
  }
}
