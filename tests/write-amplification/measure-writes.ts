import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Endpoint } from '#contract/endpoint.ts'
import { type Actor, type TestApp, toRequest } from '#tests/test-app.ts'

/** Bytes on disk allowed per byte sent. */
export const maxBytesPerByte = 20
/** Bytes allowed per request for rows, index entries, an audit event, history and page overhead. */
export const allowancePerRequest = 4096
/** Bytes allowed once per case, because page trees grow by at least a page. */
export const allowancePerCase = 65_536

export interface Writes {
  requests: number
  sentBytes: number
  grownBytes: number
}

/** Lasting growth beyond the allowances, per byte sent. */
export function computeWriteRatio({ requests, sentBytes, grownBytes }: Writes): number {
  return Math.max(0, grownBytes - allowancePerCase - requests * allowancePerRequest) / Math.max(sentBytes, 1)
}

/** Used database pages plus other files; free pages are reused. */
export async function measureDiskUsage({ services: { db, settings } }: TestApp): Promise<number> {
  const [pages] = await db.longRead<{ bytes: number }>(sql`
    select (page_count - freelist_count) * page_size as bytes
    from pragma_page_count, pragma_freelist_count, pragma_page_size`)
  return Number(pages?.bytes) + sumFileSizes(settings.dataDir)
}

function sumFileSizes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('data.db'))
    .reduce((total, entry) => total + statSync(join(entry.parentPath, entry.name)).size, 0)
}

type CountedCall = <E extends Endpoint>(
  endpoint: E,
  options: { params?: Record<string, string>; body?: unknown },
) => ReturnType<Actor['call']>

/** Makes calls as an actor and counts the bytes of paths and bodies. @throws Error when one is refused */
export function createCountedCalls(actor: Actor): { call: CountedCall; getSentBytes(): number } {
  let sentBytes = 0
  return {
    getSentBytes: () => sentBytes,
    async call(endpoint, options) {
      const { path, init } = toRequest(endpoint, options)
      sentBytes += path.length + (typeof init.body === 'string' ? Buffer.byteLength(init.body) : 0)
      const answer = await actor.call(endpoint, options)
      if (answer.status !== 200) throw new Error(`${endpoint.method} ${endpoint.path}: ${answer.status} ${answer.text}`)
      return answer
    },
  }
}

/** Repeats a request and measures the growth. @param afterEachRequest plants a defect */
export async function measureWrites(
  app: TestApp,
  actor: Actor,
  { requests, request }: { requests: number; request: (call: CountedCall, n: number) => Promise<unknown> },
  afterEachRequest?: () => Promise<unknown>,
): Promise<Writes> {
  const { call, getSentBytes } = createCountedCalls(actor)
  const initialBytes = await measureDiskUsage(app)
  for (let n = 1; n <= requests; n++) {
    // Saves within one sitting share a history entry.
    app.passTime(10 * 60_000)
    await request(call, n)
    await afterEachRequest?.()
  }
  return { requests, sentBytes: getSentBytes(), grownBytes: (await measureDiskUsage(app)) - initialBytes }
}
