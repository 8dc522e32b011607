import { deleteDB, type IDBPDatabase, openDB } from 'idb'
import { Listeners } from '#contract/listeners.ts'
import { createClientId } from './create-client-id.ts'
import { DatabaseConnection, isQuotaExceeded } from './database-connection.ts'
import { getSignedInUserId, StoreClosedError } from './signed-in-user.ts'

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
interface StoreKeys {
  seal: CryptoKey
  name: CryptoKey
}
interface OpenedDatabase {
  db: IDBPDatabase
  keys: StoreKeys
}

/** To do when the store opens again: save `record` as a draft or, without one, remove the draft if `stamp` is unchanged. */
interface UnloadEntry {
  place: string
  stamp?: string
  record?: unknown
}

const getDatabaseName = (userId: string) => `keeper-${userId}`

/** Encrypted with non-exportable keys that sign-out destroys; in memory only where storage is unavailable. */
export class LocalStore {
  readonly userId: string
  isPersistent = true
  readonly #connection = new DatabaseConnection((onLost) => this.#connect(onLost))
  /** Records that aren't on disk, by store and name. */
  readonly #memory: Record<StoreName, Map<string, { value: unknown; stamp: string }>> = {
    drafts: new Map(),
    writes: new Map(),
    bytes: new Map(),
    reads: new Map(),
  }
  /** The queue is read often; unchanged records aren't decrypted again. */
  #decryptedWrites = new Map<string, unknown>()

  constructor(userId: string) {
    this.userId = userId
  }

  /** @throws StoreClosedError after sign-out */
  async put(storeName: StoreName, name: string, value: unknown, stamp: string = createClientId()): Promise<void> {
    const memory = this.#memory[storeName]
    try {
      await this.#use(async (opened) => {
        if (!opened) return void memory.set(name, { value, stamp })
        const sealedRow = await seal(opened.keys, await hashName(opened.keys, name), value, stamp)
        this.#requireOwner()
        await putOnDisk(opened, storeName, sealedRow)
        memory.delete(name)
        if (Object.values(this.#memory).every(({ size }) => size === 0)) this.#setPersistent(true)
      })
    } catch (reason) {
      if (storeName === 'reads' || !(reason instanceof DOMException)) throw reason
      memory.set(name, { value, stamp })
      this.#setPersistent(false)
    }
  }

  get<T>(storeName: StoreName, name: string): Promise<T | undefined> {
    return this.#use(async (opened) => {
      const inMemory = this.#memory[storeName].get(name)
      if (!opened || inMemory) return inMemory?.value as T | undefined
      const sealedRow = (await opened.db.get(storeName, await hashName(opened.keys, name))) as SealedRecord | undefined
      return sealedRow && ((await unseal(opened.keys, sealedRow)) as T | undefined)
    })
  }

  /** Whether other tabs and a reload can see it. */
  isOnDisk(storeName: StoreName, name: string): boolean {
    return !this.#memory[storeName].has(name)
  }

  getAll<T>(storeName: StoreName): Promise<T[]> {
    return this.#use(async (opened) => {
      const memory = [...this.#memory[storeName]]
      const memoryValues = memory.map(([, { value }]) => value as T)
      if (!opened) return memoryValues
      const replacedNames = await Promise.all(memory.map(([name]) => hashName(opened.keys, name)))
      const allRows = (await opened.db.getAll(storeName)) as SealedRecord[]
      const rows = allRows.filter(({ name }) => !replacedNames.includes(name))
      const values = await Promise.all(
        rows.map(async (row) => this.#decryptedWrites.get(row.stamp) ?? (await unseal(opened.keys, row))),
      )
      if (storeName === 'writes')
        this.#decryptedWrites = new Map(rows.map(({ stamp }, index) => [stamp, values[index]] as const))
      return [...(values.filter((value) => value !== undefined) as T[]), ...memoryValues]
    })
  }

  /** With a `stamp`: only if unchanged since. */
  remove(storeName: StoreName, name: string, stamp?: string): Promise<void> {
    let expectedStamp = stamp
    return this.#use(async (opened) => {
      const inMemory = this.#memory[storeName].get(name)
      const isRemovedFromMemory = inMemory && (stamp === undefined || inMemory.stamp === stamp)
      if (isRemovedFromMemory) {
        this.#memory[storeName].delete(name)
        // The older record on disk is deleted too.
        expectedStamp = undefined
      }
      if (!opened || (inMemory && !isRemovedFromMemory)) return
      await removeFromDisk(opened, storeName, name, expectedStamp)
    })
  }

  /** Works after the session has ended. */
  async forget(storeName: StoreName): Promise<void> {
    await this.#connection.use(async (opened) => {
      this.#memory[storeName].clear()
      await opened?.db.clear(storeName)
    })
  }

  /** Deletes the keys too; other tabs close their connections. */
  async destroy(): Promise<void> {
    this.#decryptedWrites.clear()
    for (const memory of Object.values(this.#memory)) memory.clear()
    const opened = await this.#connection.detach()?.catch(() => null)
    opened?.db.close()
    this.#clearTabData()
    try {
      await deleteDB(getDatabaseName(this.userId))
    } catch {
      // Without storage there is nothing to delete.
    }
  }

  /** For writes that IndexedDB can't finish before unload: unencrypted, in this tab only, until the store opens again. */
  saveUnloadEntry(entry: UnloadEntry): void {
    // Storage may be blocked or full.
    try {
      sessionStorage.setItem(this.#unloadKeyPrefix + entry.place, JSON.stringify(entry))
    } catch {}
  }

  clearUnloadEntries(name?: string): void {
    for (const key of this.#listUnloadKeys())
      if (name === undefined || key === this.#unloadKeyPrefix + name) sessionStorage.removeItem(key)
  }

  get #unloadKeyPrefix(): string {
    return `keeper-last-words ${this.userId} `
  }

  #listUnloadKeys(): string[] {
    try {
      return Object.keys(sessionStorage).filter((key) => key.startsWith(this.#unloadKeyPrefix))
    } catch {
      return []
    }
  }

  async #restoreUnloadEntries(opened: OpenedDatabase | null): Promise<void> {
    for (const key of this.#listUnloadKeys()) {
      const { place: name, stamp, record } = JSON.parse(sessionStorage.getItem(key) ?? '{}') as UnloadEntry
      if (record !== undefined) await this.#restoreDraft(opened, name, record, stamp)
      else if (opened) await removeFromDisk(opened, 'drafts', name, stamp)
      this.clearUnloadEntries(name)
    }
  }

  async #restoreDraft(opened: OpenedDatabase | null, name: string, value: unknown, stamp = ''): Promise<void> {
    const saveInMemory = () => void this.#memory.drafts.set(name, { value, stamp })
    if (!opened) return saveInMemory()
    const sealedRow = await seal(opened.keys, await hashName(opened.keys, name), value, stamp)
    await putOnDisk(opened, 'drafts', sealedRow).catch(saveInMemory)
  }

  #clearTabData(): void {
    this.clearUnloadEntries()
    try {
      sessionStorage.removeItem(`keeper-recent-${this.userId}`)
    } catch {}
  }

  /** @throws StoreClosedError after sign-out */
  #use<Result>(task: (opened: OpenedDatabase | null) => Promise<Result>): Promise<Result> {
    return this.#connection.use(task, () => this.#requireOwner())
  }

  async #connect(onLost: () => void): Promise<OpenedDatabase | null> {
    const opened = await this.#openDatabase(onLost).catch(() => {
      this.#setPersistent(false)
      onLost()
      return null
    })
    await this.#restoreUnloadEntries(opened)
    return opened
  }

  async #openDatabase(onLost: () => void): Promise<OpenedDatabase> {
    const db = await openDB(getDatabaseName(this.userId), 1, {
      upgrade(database) {
        database.createObjectStore('keys')
        for (const storeName of storeNames) database.createObjectStore(storeName, { keyPath: 'name' })
      },
      // Another tab signs out.
      blocking: (_current, _blocked, event) => {
        onLost()
        if ((event as IDBVersionChangeEvent).newVersion === null) this.#clearTabData()
        ;(event.target as IDBDatabase).close()
      },
      terminated: onLost,
    })
    return { db, keys: await loadKeys(db) }
  }

  #setPersistent(isPersistent: boolean): void {
    if (isPersistent === this.isPersistent) return
    this.isPersistent = isPersistent
    updateStorageStatus({ isPersistent })
  }

  #requireOwner(): void {
    if (getSignedInUserId() !== this.userId) throw new StoreClosedError('The owner of this data isn’t signed in.')
  }
}

const stores = new Map<string, LocalStore>()

export function getCurrentStore(): LocalStore | null {
  const userId = getSignedInUserId()
  return userId === null ? null : getStore(userId)
}

function getStore(userId: string): LocalStore {
  const store = stores.get(userId) ?? new LocalStore(userId)
  stores.set(userId, store)
  return store
}

/** The server ended the session: cached reads go, unsent work stays. */
export const forgetReads = (userId: string): Promise<void> => getStore(userId).forget('reads')

/** Deletes everything stored for this person; called at sign-out. */
export async function destroyLocalStore(userId: string): Promise<void> {
  const store = getStore(userId)
  stores.delete(userId)
  await store.destroy()
}

interface StorageStatus {
  /** ISO time of the oldest cached answer shown since the server was last reached; null if all data is fresh. */
  oldestReadAt: string | null
  /** False where this browser can't store anything beyond this page. */
  isPersistent: boolean
}

let storageStatus: StorageStatus = { oldestReadAt: null, isPersistent: true }
const statusListeners = new Listeners()

export const getStorageStatus = (): StorageStatus => storageStatus

export const onStorageStatusChange = statusListeners.add

export function updateStorageStatus(changes: Partial<StorageStatus>): void {
  storageStatus = { ...storageStatus, ...changes }
  statusListeners.notify()
}

async function loadKeys(db: IDBPDatabase): Promise<StoreKeys> {
  const existingKeys = (await db.get('keys', 'own')) as StoreKeys | undefined
  if (existingKeys) return existingKeys
  const newKeys: StoreKeys = {
    seal: await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
    name: await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
  }
  // If another tab created keys first, use those.
  const transaction = db.transaction('keys', 'readwrite')
  const storedKeys = (await transaction.store.get('own')) as StoreKeys | undefined
  if (!storedKeys) await transaction.store.put(newKeys, 'own')
  await transaction.done
  return storedKeys ?? newKeys
}

/** Drops cached reads to make space for written data. */
async function putOnDisk({ db }: OpenedDatabase, storeName: StoreName, sealedRow: SealedRecord): Promise<void> {
  try {
    await db.put(storeName, sealedRow)
  } catch (reason) {
    if (storeName === 'reads' || !isQuotaExceeded(reason)) throw reason
    await db.clear('reads')
    await db.put(storeName, sealedRow)
  }
}

async function removeFromDisk(
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

async function hashName(keys: StoreKeys, name: string): Promise<string> {
  const hash = await crypto.subtle.sign('HMAC', keys.name, new TextEncoder().encode(name))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** First byte of raw bytes; JSON starts with a zero byte. */
const bytesPrefix = 1

/** Encrypts JSON, or raw bytes. */
async function seal(keys: StoreKeys, name: string, value: unknown, stamp: string): Promise<SealedRecord> {
  const plaintext =
    value instanceof ArrayBuffer
      ? prefixByte(bytesPrefix, value)
      : new TextEncoder().encode(`\0${JSON.stringify(value)}`)
  const iv = crypto.getRandomValues(new Uint8Array(12))
  return { name, iv, stamp, sealed: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, keys.seal, plaintext) }
}

function prefixByte(prefix: number, content: ArrayBuffer): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(content.byteLength + 1)
  bytes[0] = prefix
  bytes.set(new Uint8Array(content), 1)
  return bytes
}

/** Undefined if encrypted with other keys. */
async function unseal(keys: StoreKeys, { iv, sealed }: SealedRecord): Promise<unknown> {
  let plaintext: ArrayBuffer
  try {
    plaintext = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, keys.seal, sealed)
  } catch {
    return undefined
  }
  const content = plaintext.slice(1)
  return new Uint8Array(plaintext)[0] === bytesPrefix ? content : JSON.parse(new TextDecoder().decode(content))
}

const localQueue = new Map<string, Promise<unknown>>()

/** Without https browsers have no locks, but then the store is in one tab's memory anyway. */
const localLocks = {
  request<Answer>(name: string, { ifAvailable }: LockOptions, task: (lock: Lock | null) => Promise<Answer>) {
    const previous = localQueue.get(name)
    if (previous && ifAvailable) return task(null)
    const result = (previous ?? Promise.resolve()).then(() => task({ name, mode: 'exclusive' }))
    const settled = result.catch(() => undefined)
    localQueue.set(name, settled)
    void settled.then(() => {
      if (localQueue.get(name) === settled) localQueue.delete(name)
    })
    return result
  },
  query: async (): Promise<LockManagerSnapshot> => ({ held: [...localQueue.keys()].map((name) => ({ name })) }),
}
const getLocks = (): LockManager => globalThis.navigator?.locks ?? (localLocks as LockManager)

/** Runs after earlier holders of the name, in any tab. */
export function withTabLock<Answer>(name: string, task: () => Promise<Answer>): Promise<Answer> {
  return getLocks().request(name, {}, task)
}

/** Does nothing while the lock is held. */
export async function tryTabLock(name: string, task: () => Promise<void>): Promise<void> {
  await getLocks().request(name, { ifAvailable: true }, async (lock) => lock && task())
}

/** Holds the lock until the returned function is called or the tab closes. */
export async function holdTabLock(name: string): Promise<() => void> {
  const acquired = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  void getLocks().request(name, {}, () => {
    acquired.resolve()
    return released.promise
  })
  await acquired.promise
  return released.resolve
}

export async function isTabLockHeld(name: string): Promise<boolean> {
  const { held = [] } = await getLocks().query()
  return held.some((lock) => lock.name === name)
}
