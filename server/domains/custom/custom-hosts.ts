import type { Database } from '#server/db/database.ts'

/**
 * The verified custom domains, in memory: which host is served, and which may get a certificate, is answered from here
 * without a question to anybody. Changes count at once in this process, and within 30 seconds in others.
 */
export class CustomHosts {
  #hosts = new Map<string, { domainId: string }>()

  /** The domain whose public page this host shows. Exactly this name; none below it. */
  find(hostname: string): { domainId: string } | undefined {
    return this.#hosts.get(hostname)
  }

  async load(db: Database): Promise<void> {
    const rows = await db
      .selectFrom('domains')
      .select(['id', 'custom_domain'])
      .where('custom_domain_verified', '=', true)
      .where('custom_domain', 'is not', null)
      .execute()
    this.#hosts = new Map(rows.map((row) => [row.custom_domain as string, { domainId: row.id }]))
  }
}
