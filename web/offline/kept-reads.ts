import { ownVault } from './vault.ts'
import { VaultClosed } from './whose-browser.ts'

interface KeptRead {
  url: string
  at: string
  answer: unknown
}

/** Cached for offline reading: keepers with their contents, and the account. Never files or keys. */
const kept = /^\/api\/(keeper\/|memory-patterns|agent-classes|themes|kam\/(auth\/session|settings))/
/** Searches are private and useless offline. */
const searches = /[?&](q|query)=/
const longest = 2_000_000
const mostKept = 600

export async function keepRead(url: string, answer: unknown): Promise<void> {
  const vault = ownVault()
  if (!vault || !isKept(url)) return
  try {
    if (JSON.stringify(answer).length > longest) return
    await vault.put('reads', url, { url, at: new Date().toISOString(), answer } satisfies KeptRead)
    if (Math.random() < 0.02) await letOldestGo()
  } catch (reason) {
    // A full disk only means less to read offline.
    if (!(reason instanceof VaultClosed || reason instanceof DOMException)) throw reason
  }
}

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

/** Drops every cached answer about the keeper; it is removed from the cached list of keepers. */
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
