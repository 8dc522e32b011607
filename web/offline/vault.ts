import { deleteDB, type IDBPDatabase, openDB } from 'idb'
import { forgetLastWords, forgetTab, type LastDraft, lastWordsOf } from './last-words.ts'
import { newClientId } from './new-client-id.ts'
import { noteNothingLasts } from './what-is-kept.ts'
import { VaultClosed, whoseBrowser } from './whose-browser.ts'

export const shelves = ['drafts', 'writes', 'bytes', 'reads'] as const
export type Shelf = (typeof shelves)[number]

/** An encrypted record. Names are keyed hashes, because an address may contain a search. */
interface Sealed {
  name: string
  iv: Uint8Array<ArrayBuffer>
  sealed: ArrayBuffer
  /** Changes with every write, for conditional deletion. */
  stamp: string
}
interface Keys {
  seal: CryptoKey
  name: CryptoKey
}
interface Opened {
  db: IDBPDatabase
  keys: Keys
}

const databaseOf = (person: string) => `keeper-${person}`

/**
 * One person's data in this browser, encrypted with non-exportable keys that are destroyed at sign-out. Where storage
 * is unavailable it is in memory only, and `isPersistent` is false.
 */
export class Vault {
  readonly person: string
  lasting = true
  #opened: Promise<Opened | null> | undefined
  readonly #lastRead = new Map<Shelf, Map<string, unknown>>()
  readonly #memory = new Map<string, { shelf: Shelf; value: unknown; stamp: string }>()

  constructor(person: string) {
    this.person = person
  }

  /** @throws StoreClosedError after sign-out */
  async put(shelf: Shelf, name: string, value: unknown, stamp: string = newClientId()): Promise<void> {
    const opened = await this.#open()
    if (!opened) {
      this.#memory.set(`${shelf} ${name}`, { shelf, value, stamp })
      return
    }
    const row = await seal(opened.keys, await hidden(opened.keys, name), value, stamp)
    this.#requireOwner()
    const place = `${shelf} ${name}`
    try {
      await this.#putOnDisk(opened, shelf, row)
      this.#memory.delete(place)
    } catch (reason) {
      if (shelf === 'reads' || !isFull(reason)) throw reason
      this.#memory.set(place, { shelf, value, stamp })
      this.lasting = false
      noteNothingLasts()
    }
  }

  /** Drops cached reads to make space for written data. */
  async #putOnDisk(opened: Opened, shelf: Shelf, row: Sealed): Promise<void> {
    try {
      await opened.db.put(shelf, row)
    } catch (reason) {
      if (shelf === 'reads' || !isFull(reason)) throw reason
      await opened.db.clear('reads')
      await opened.db.put(shelf, row)
    }
  }

  async get<T>(shelf: Shelf, name: string): Promise<T | undefined> {
    const opened = await this.#open()
    const inMemory = this.#memory.get(`${shelf} ${name}`)
    if (!opened || inMemory) return inMemory?.value as T | undefined
    const row = (await opened.db.get(shelf, await hidden(opened.keys, name))) as Sealed | undefined
    return row && ((await unseal(opened.keys, row)) as T | undefined)
  }

  /** Whether other tabs and a reload can see it. */
  isOnDisk(shelf: Shelf, name: string): boolean {
    return !this.#memory.has(`${shelf} ${name}`)
  }

  async all<T>(shelf: Shelf): Promise<T[]> {
    const opened = await this.#open()
    const inMemory = [...this.#memory].filter(([, each]) => each.shelf === shelf)
    const newer = inMemory.map(([, { value }]) => value as T)
    if (!opened) return newer
    const overtaken = await Promise.all(inMemory.map(([place]) => hidden(opened.keys, place.slice(shelf.length + 1))))
    const rows = ((await opened.db.getAll(shelf)) as Sealed[]).filter(({ name }) => !overtaken.includes(name))
    const known = this.#lastRead.get(shelf)
    const read = await Promise.all(
      rows.map(async (row) => [row.stamp, known?.get(row.stamp) ?? (await unseal(opened.keys, row))] as const),
    )
    // The queue is read often; unchanged records aren't decrypted again.
    this.#lastRead.set(shelf, shelf === 'writes' ? new Map(read) : new Map())
    const values = read.map(([, value]) => value)
    return [...(values.filter((value) => value !== undefined) as T[]), ...newer]
  }

  /** With a `stamp`: only if unchanged since. */
  async remove(shelf: Shelf, name: string, stamp?: string): Promise<void> {
    const opened = await this.#open()
    const place = `${shelf} ${name}`
    const inMemory = this.#memory.get(place)
    const goes = inMemory && (stamp === undefined || inMemory.stamp === stamp)
    if (goes) this.#memory.delete(place)
    if (!opened || (inMemory && !goes)) return
    // The older record on disk goes too.
    await this.#removeFromDisk(opened, shelf, name, goes ? undefined : stamp)
  }

  async #removeFromDisk({ db, keys }: Opened, shelf: Shelf, name: string, stamp?: string): Promise<void> {
    const key = await hidden(keys, name)
    const change = db.transaction(shelf, 'readwrite')
    const row = (await change.store.get(key)) as Sealed | undefined
    if (row && (stamp === undefined || row.stamp === stamp)) await change.store.delete(key)
    await change.done
  }

  /** Works after the session has ended. */
  async forget(shelf: Shelf): Promise<void> {
    this.#opened ??= this.#openDatabase()
    const opened = await this.#opened.catch(() => null)
    for (const [place, each] of this.#memory) if (each.shelf === shelf) this.#memory.delete(place)
    await opened?.db.clear(shelf)
  }

  /** Deletes the keys too; other tabs close their connections. */
  async destroy(): Promise<void> {
    this.#memory.clear()
    this.#lastRead.clear()
    const opened = await this.#opened?.catch(() => null)
    this.#opened = undefined
    opened?.db.close()
    await deleteVault(this.person)
  }

  #open(): Promise<Opened | null> {
    this.#requireOwner()
    this.#opened ??= this.#openDatabase()
      .catch(() => {
        this.lasting = false
        noteNothingLasts()
        return null
      })
      .then(async (opened) => {
        await this.#takeOverLastWords(opened)
        return opened
      })
    return this.#opened
  }

  async #takeOverLastWords(opened: Opened | null): Promise<void> {
    for (const words of lastWordsOf(this.person)) {
      if ('record' in words) await this.#sealLastWords(opened, words)
      else if (opened) await this.#removeFromDisk(opened, 'drafts', words.place, words.stamp)
      forgetLastWords(this.person, words.place)
    }
  }

  async #sealLastWords(opened: Opened | null, { place, stamp, record }: LastDraft): Promise<void> {
    const inMemory = () => this.#memory.set(`drafts ${place}`, { shelf: 'drafts', value: record, stamp })
    if (!opened) return void inMemory()
    const row = await seal(opened.keys, await hidden(opened.keys, place), record, stamp)
    await this.#putOnDisk(opened, 'drafts', row).catch(inMemory)
  }

  async #openDatabase(): Promise<Opened> {
    const letGo = () => {
      this.#opened = undefined
    }
    const db = await openDB(databaseOf(this.person), 1, {
      upgrade(fresh) {
        fresh.createObjectStore('keys')
        for (const shelf of shelves) fresh.createObjectStore(shelf, { keyPath: 'name' })
      },
      // Another tab signs out.
      blocking: (_current, _blocked, event) => {
        letGo()
        if ((event as IDBVersionChangeEvent).newVersion === null) forgetTab(this.person)
        ;(event.target as IDBDatabase).close()
      },
      terminated: letGo,
    })
    return { db, keys: await keysOf(db) }
  }

  #requireOwner(): void {
    if (whoseBrowser() !== this.person) throw new VaultClosed('The owner of this data isn’t signed in.')
  }
}

const isFull = (reason: unknown) => reason instanceof DOMException && reason.name === 'QuotaExceededError'

const vaults = new Map<string, Vault>()

export function ownVault(): Vault | null {
  const person = whoseBrowser()
  if (person === null) return null
  const vault = vaults.get(person) ?? new Vault(person)
  vaults.set(person, vault)
  return vault
}

/** The server ended the session: cached reads go, unsent work stays. */
export async function forgetReads(person: string): Promise<void> {
  await (vaults.get(person) ?? new Vault(person)).forget('reads')
}

/** At sign-out: nothing stored here stays readable. */
export async function destroyVault(person: string): Promise<void> {
  const vault = vaults.get(person)
  vaults.delete(person)
  await (vault ? vault.destroy() : deleteVault(person))
}

async function deleteVault(person: string): Promise<void> {
  forgetTab(person)
  if (typeof indexedDB === 'undefined') return
  try {
    await deleteDB(databaseOf(person))
  } catch {
    // Without storage there is nothing to delete.
  }
}

async function keysOf(db: IDBPDatabase): Promise<Keys> {
  const known = (await db.get('keys', 'own')) as Keys | undefined
  if (known) return known
  const fresh: Keys = {
    seal: await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
    name: await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
  }
  // If another tab created keys first, use those.
  const change = db.transaction('keys', 'readwrite')
  const earlier = (await change.store.get('own')) as Keys | undefined
  if (!earlier) await change.store.put(fresh, 'own')
  await change.done
  return earlier ?? fresh
}

async function hidden(keys: Keys, name: string): Promise<string> {
  const hash = await crypto.subtle.sign('HMAC', keys.name, new TextEncoder().encode(name))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** JSON or raw bytes; the first byte tells which. */
async function seal(keys: Keys, name: string, value: unknown, stamp: string): Promise<Sealed> {
  const bytes = value instanceof ArrayBuffer
  const content = bytes ? new Uint8Array(value) : new TextEncoder().encode(JSON.stringify(value))
  const plain = new Uint8Array(content.length + 1)
  plain[0] = bytes ? 1 : 0
  plain.set(content, 1)
  const iv = crypto.getRandomValues(new Uint8Array(12))
  return { name, iv, stamp, sealed: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, keys.seal, plain) }
}

/** Undefined if encrypted with other keys. */
async function unseal(keys: Keys, { iv, sealed }: Sealed): Promise<unknown> {
  let plain: ArrayBuffer
  try {
    plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, keys.seal, sealed)
  } catch {
    return undefined
  }
  const content = plain.slice(1)
  return new Uint8Array(plain)[0] === 1 ? content : JSON.parse(new TextDecoder().decode(content))
}
