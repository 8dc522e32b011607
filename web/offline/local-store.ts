import { deleteDB, type IDBPDatabase, openDB } from 'idb'
import { createClientId } from './create-client-id.ts'
import { getSignedInUserId, StoreClosedError } from './signed-in-user.ts'
import { recordStorageUnavailable } from './storage-status.ts'
import { clearTabData, clearUnloadEntries, getUnloadEntries, type UnloadDraft } from './unload-drafts.ts'

export const storeNames = ['drafts', 'writes', 'bytes', 'reads'] as const
export type StoreName = (typeof storeNames)[number]

/** An encrypted record. Names are keyed hashes, because an address may contain a search. */
interface SealedRecord {
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
interface OpenedDatabase {
  db: IDBPDatabase
  keys: Keys
}

const getDatabaseName = (person: string) => `keeper-${person}`

/** Encrypted with non-exportable keys that sign-out destroys; in memory only where storage is unavailable. */
export class LocalStore {
  readonly person: string
  isPersistent = true
  #opened: Promise<OpenedDatabase | null> | undefined
  readonly #decryptedValues = new Map<StoreName, Map<string, unknown>>()
  readonly #memory = new Map<string, { storeName: StoreName; value: unknown; stamp: string }>()

  constructor(person: string) {
    this.person = person
  }

  /** @throws StoreClosedError after sign-out */
  async put(storeName: StoreName, name: string, value: unknown, stamp: string = createClientId()): Promise<void> {
    const opened = await this.#open()
    if (!opened) {
      this.#memory.set(`${storeName} ${name}`, { storeName: storeName, value, stamp })
      return
    }
    const sealedRow = await seal(opened.keys, await hashName(opened.keys, name), value, stamp)
    this.#requireOwner()
    const memoryKey = `${storeName} ${name}`
    try {
      await this.#putOnDisk(opened, storeName, sealedRow)
      this.#memory.delete(memoryKey)
    } catch (reason) {
      if (storeName === 'reads' || !isQuotaExceeded(reason)) throw reason
      this.#memory.set(memoryKey, { storeName: storeName, value, stamp })
      this.isPersistent = false
      recordStorageUnavailable()
    }
  }

  /** Drops cached reads to make space for written data. */
  async #putOnDisk(opened: OpenedDatabase, storeName: StoreName, sealedRow: SealedRecord): Promise<void> {
    try {
      await opened.db.put(storeName, sealedRow)
    } catch (reason) {
      if (storeName === 'reads' || !isQuotaExceeded(reason)) throw reason
      await opened.db.clear('reads')
      await opened.db.put(storeName, sealedRow)
    }
  }

  async get<T>(storeName: StoreName, name: string): Promise<T | undefined> {
    const opened = await this.#open()
    const inMemory = this.#memory.get(`${storeName} ${name}`)
    if (!opened || inMemory) return inMemory?.value as T | undefined
    const sealedRow = (await opened.db.get(storeName, await hashName(opened.keys, name))) as SealedRecord | undefined
    return sealedRow && ((await unseal(opened.keys, sealedRow)) as T | undefined)
  }

  /** Whether other tabs and a reload can see it. */
  isOnDisk(storeName: StoreName, name: string): boolean {
    return !this.#memory.has(`${storeName} ${name}`)
  }

  async getAll<T>(storeName: StoreName): Promise<T[]> {
    const opened = await this.#open()
    const inMemory = [...this.#memory].filter(([, record]) => record.storeName === storeName)
    const memoryValues = inMemory.map(([, { value }]) => value as T)
    if (!opened) return memoryValues
    const replacedNames = await Promise.all(
      inMemory.map(([memoryKey]) => hashName(opened.keys, memoryKey.slice(storeName.length + 1))),
    )
    const rows = ((await opened.db.getAll(storeName)) as SealedRecord[]).filter(
      ({ name }) => !replacedNames.includes(name),
    )
    const cachedValues = this.#decryptedValues.get(storeName)
    const decrypted = await Promise.all(
      rows.map(
        async (sealedRow) =>
          [sealedRow.stamp, cachedValues?.get(sealedRow.stamp) ?? (await unseal(opened.keys, sealedRow))] as const,
      ),
    )
    // The queue is read often; unchanged records aren't decrypted again.
    this.#decryptedValues.set(storeName, storeName === 'writes' ? new Map(decrypted) : new Map())
    const values = decrypted.map(([, value]) => value)
    return [...(values.filter((value) => value !== undefined) as T[]), ...memoryValues]
  }

  /** With a `stamp`: only if unchanged since. */
  async remove(storeName: StoreName, name: string, stamp?: string): Promise<void> {
    const opened = await this.#open()
    const memoryKey = `${storeName} ${name}`
    const inMemory = this.#memory.get(memoryKey)
    const isRemovedFromMemory = inMemory && (stamp === undefined || inMemory.stamp === stamp)
    if (isRemovedFromMemory) this.#memory.delete(memoryKey)
    if (!opened || (inMemory && !isRemovedFromMemory)) return
    // The older record on disk goes too.
    await this.#removeFromDisk(opened, storeName, name, isRemovedFromMemory ? undefined : stamp)
  }

  async #removeFromDisk(
    { db, keys }: OpenedDatabase,
    storeName: StoreName,
    name: string,
    stamp?: string,
  ): Promise<void> {
    const key = await hashName(keys, name)
    const transaction = db.transaction(storeName, 'readwrite')
    const sealedRow = (await transaction.store.get(key)) as SealedRecord | undefined
    if (sealedRow && (stamp === undefined || sealedRow.stamp === stamp)) await transaction.store.delete(key)
    await transaction.done
  }

  /** Works after the session has ended. */
  async forget(storeName: StoreName): Promise<void> {
    this.#opened ??= this.#openDatabase()
    const opened = await this.#opened.catch(() => null)
    for (const [memoryKey, record] of this.#memory) if (record.storeName === storeName) this.#memory.delete(memoryKey)
    await opened?.db.clear(storeName)
  }

  /** Deletes the keys too; other tabs close their connections. */
  async destroy(): Promise<void> {
    this.#memory.clear()
    this.#decryptedValues.clear()
    const opened = await this.#opened?.catch(() => null)
    this.#opened = undefined
    opened?.db.close()
    await deleteLocalStore(this.person)
  }

  #open(): Promise<OpenedDatabase | null> {
    this.#requireOwner()
    this.#opened ??= this.#openDatabase()
      .catch(() => {
        this.isPersistent = false
        recordStorageUnavailable()
        return null
      })
      .then(async (opened) => {
        await this.#restoreUnloadEntries(opened)
        return opened
      })
    return this.#opened
  }

  async #restoreUnloadEntries(opened: OpenedDatabase | null): Promise<void> {
    for (const entry of getUnloadEntries(this.person)) {
      if ('record' in entry) await this.#storeUnloadDraft(opened, entry)
      else if (opened) await this.#removeFromDisk(opened, 'drafts', entry.place, entry.stamp)
      clearUnloadEntries(this.person, entry.place)
    }
  }

  async #storeUnloadDraft(
    opened: OpenedDatabase | null,
    { place: memoryKey, stamp, record }: UnloadDraft,
  ): Promise<void> {
    const inMemory = () => this.#memory.set(`drafts ${memoryKey}`, { storeName: 'drafts', value: record, stamp })
    if (!opened) return void inMemory()
    const sealedRow = await seal(opened.keys, await hashName(opened.keys, memoryKey), record, stamp)
    await this.#putOnDisk(opened, 'drafts', sealedRow).catch(inMemory)
  }

  async #openDatabase(): Promise<OpenedDatabase> {
    const resetConnection = () => {
      this.#opened = undefined
    }
    const db = await openDB(getDatabaseName(this.person), 1, {
      upgrade(database) {
        database.createObjectStore('keys')
        for (const storeName of storeNames) database.createObjectStore(storeName, { keyPath: 'name' })
      },
      // Another tab signs out.
      blocking: (_current, _blocked, event) => {
        resetConnection()
        if ((event as IDBVersionChangeEvent).newVersion === null) clearTabData(this.person)
        ;(event.target as IDBDatabase).close()
      },
      terminated: resetConnection,
    })
    return { db, keys: await loadKeys(db) }
  }

  #requireOwner(): void {
    if (getSignedInUserId() !== this.person) throw new StoreClosedError('The owner of this data isn’t signed in.')
  }
}

const isQuotaExceeded = (reason: unknown) => reason instanceof DOMException && reason.name === 'QuotaExceededError'

const stores = new Map<string, LocalStore>()

export function getCurrentStore(): LocalStore | null {
  const person = getSignedInUserId()
  if (person === null) return null
  const store = stores.get(person) ?? new LocalStore(person)
  stores.set(person, store)
  return store
}

/** The server ended the session: cached reads go, unsent work stays. */
export async function forgetReads(person: string): Promise<void> {
  await (stores.get(person) ?? new LocalStore(person)).forget('reads')
}

/** At sign-out: nothing stored here stays readable. */
export async function destroyLocalStore(person: string): Promise<void> {
  const store = stores.get(person)
  stores.delete(person)
  await (store ? store.destroy() : deleteLocalStore(person))
}

async function deleteLocalStore(person: string): Promise<void> {
  clearTabData(person)
  if (typeof indexedDB === 'undefined') return
  try {
    await deleteDB(getDatabaseName(person))
  } catch {
    // Without storage there is nothing to delete.
  }
}

async function loadKeys(db: IDBPDatabase): Promise<Keys> {
  const existingKeys = (await db.get('keys', 'own')) as Keys | undefined
  if (existingKeys) return existingKeys
  const newKeys: Keys = {
    seal: await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
    name: await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
  }
  // If another tab created keys first, use those.
  const transaction = db.transaction('keys', 'readwrite')
  const storedKeys = (await transaction.store.get('own')) as Keys | undefined
  if (!storedKeys) await transaction.store.put(newKeys, 'own')
  await transaction.done
  return storedKeys ?? newKeys
}

async function hashName(keys: Keys, name: string): Promise<string> {
  const hash = await crypto.subtle.sign('HMAC', keys.name, new TextEncoder().encode(name))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** JSON or raw bytes; the first byte tells which. */
async function seal(keys: Keys, name: string, value: unknown, stamp: string): Promise<SealedRecord> {
  const isBinary = value instanceof ArrayBuffer
  const content = isBinary ? new Uint8Array(value) : new TextEncoder().encode(JSON.stringify(value))
  const plaintext = new Uint8Array(content.length + 1)
  plaintext[0] = isBinary ? 1 : 0
  plaintext.set(content, 1)
  const iv = crypto.getRandomValues(new Uint8Array(12))
  return { name, iv, stamp, sealed: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, keys.seal, plaintext) }
}

/** Undefined if encrypted with other keys. */
async function unseal(keys: Keys, { iv, sealed }: SealedRecord): Promise<unknown> {
  let plaintext: ArrayBuffer
  try {
    plaintext = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, keys.seal, sealed)
  } catch {
    return undefined
  }
  const content = plaintext.slice(1)
  return new Uint8Array(plaintext)[0] === 1 ? content : JSON.parse(new TextDecoder().decode(content))
}
