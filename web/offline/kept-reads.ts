import { ownVault } from './vault.ts'
import { VaultClosed } from './whose-browser.ts'

interface KeptRead {
  /** Its address, without the origin. */
  url: string
  /** ISO: when the server said it. */
  at: string
  answer: unknown
}

/** What is read again without the server: keepers with all that is in them, and who one is. Never bytes, never keys. */
const kept = /^\/api\/(keeper\/|memory-patterns|agent-classes|themes|kam\/(auth\/session|settings))/
/** What somebody searched for is nobody's business later, and finds nothing new offline. */
const searches = /[?&](q|query)=/
const longest = 2_000_000
const mostKept = 600

/** Remembers an answer as it was last seen. */
export async function keepRead(url: string, answer: unknown): Promise<void> {
  const vault = ownVault()
  if (!vault || !isKept(url)) return
  try {
    if (JSON.stringify(answer).length > longest) return
    await vault.put('reads', url, { url, at: new Date().toISOString(), answer } satisfies KeptRead)
    if (Math.random() < 0.02) await letOldestGo()
  } catch (reason) {
    // The disk may be full: then there is less to read offline, and nothing is lost by it.
    if (!(reason instanceof VaultClosed || reason instanceof DOMException)) throw reason
  }
}

/** What the server said last. */
export async function findRead(url: string): Promise<KeptRead | undefined> {
  const vault = ownVault()
  if (!vault || !isKept(url)) return undefined
  try {
    return await vault.get<KeptRead>('reads', url)
  } catch (reason) {
    if (reason instanceof VaultClosed) return undefined
    throw reason
  }
}

/** Forgets every answer that is of a keeper or speaks of it; the list of keepers stays, without it. */
export async function forgetKeeper(keeperId: string): Promise<void> {
  const vault = ownVault()
  if (!vault) return
  const segment = new RegExp(`/${escaped(encodeURIComponent(keeperId))}(?=[/?]|$)`)
  try {
    for (const read of await vault.all<KeptRead>('reads')) {
      const { url, answer } = read
      const speaksOfIt = url.startsWith('/api/keeper/') && JSON.stringify(answer).includes(JSON.stringify(keeperId))
      if (!segment.test(url) && !speaksOfIt) continue
      const all = (answer as { data?: unknown } | null)?.data
      if (url === listOfKeepers && Array.isArray(all)) {
        const data = all.filter(({ id }: { id?: unknown }) => id !== keeperId)
        await vault.put('reads', url, { ...read, answer: { ...(answer as object), data } })
      } else await vault.remove('reads', url)
    }
  } catch (reason) {
    if (!(reason instanceof VaultClosed || reason instanceof DOMException)) throw reason
  }
}

const listOfKeepers = '/api/keeper/keepers'
const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')

const isKept = (url: string) => kept.test(url) && !searches.test(url)

async function letOldestGo(): Promise<void> {
  const vault = ownVault()
  const all = (await vault?.all<KeptRead>('reads')) ?? []
  const gone = all.toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(mostKept)
  for (const { url } of gone) await vault?.remove('reads', url)
}
