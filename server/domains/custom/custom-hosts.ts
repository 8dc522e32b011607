import type { Database } from '#server/db/database.ts'
import type { Site } from '#server/http/host-check.ts'
import { ProcessBus } from '#server/live/process-bus.ts'
import type { Services } from '#server/services.ts'

const othersChangeMs = 30_000

/**
 * The verified custom domains, in memory: which host is served, and which may get a certificate, is answered from here
 * without a question to anybody. Who changes them loads them at once; other processes do when they are told, and every 30
 * seconds in any case.
 */
export class CustomHosts {
  #hosts = new Map<string, Site>()
  #asked = 0
  #known = 0
  readonly #bus: ProcessBus

  constructor(bus = new ProcessBus()) {
    this.#bus = bus
  }

  /** The domain whose public page this host shows. Exactly this name; none below it. */
  find(hostname: string): Site | undefined {
    return this.#hosts.get(hostname)
  }

  /** After a change that is in the database: here at once, in other processes when they are told. */
  async loadChanged(db: Database): Promise<void> {
    this.#bus.send({ kind: 'hosts-changed' })
    await this.load(db)
  }

  async load(db: Database): Promise<void> {
    this.#asked += 1
    const asked = this.#asked
    const rows = await db
      .selectFrom('domains')
      .select(['id', 'custom_domain'])
      .where('custom_domain_verified', '=', true)
      .where('custom_domain', 'is not', null)
      .execute()
    // Of two loads at once the one that was asked for last may have seen more, whichever is answered first.
    if (asked < this.#known) return
    this.#known = asked
    this.#hosts = new Map(rows.map((row) => [row.custom_domain as string, { domainId: row.id }]))
  }
}

/** Loads the custom hosts now, and again and again for what other processes change. Call the answer to stop. */
export async function keepCustomHosts({ customHosts, db, log, bus }: Services): Promise<() => void> {
  const load = () =>
    void customHosts
      .load(db)
      .catch((error: unknown) => log.error({ err: error }, 'custom domains could not be looked up'))
  const ends = [bus.on('hosts-changed', load), bus.onMissed(load)]
  await customHosts.load(db)
  const again = setInterval(load, othersChangeMs)
  again.unref()
  return () => {
    clearInterval(again)
    for (const end of ends) end()
  }
}
