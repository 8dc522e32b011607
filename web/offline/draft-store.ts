import { createClientId } from './create-client-id.ts'
import type { LocalStore } from './local-store.ts'
import {
  getPageUserId,
  getSignedInUserId,
  loadCurrentStore,
  onSignedInAgain,
  StoreClosedError,
} from './signed-in-user.ts'
import { clearUnloadEntries, saveUnloadEntry, type UnloadRemoval } from './unload-drafts.ts'

/** Maximum delay before a change is stored (ms). */
const saveDelayMs = 250

export interface DraftRecord {
  key: string
  /** Identifies the writing page, so that tabs never overwrite each other. */
  page: string
  value: unknown
  at: string
  stamp: string
}

export interface DraftSnapshot<T> {
  /** False while nothing is drafted; the page shows its initial value. */
  isDrafted: boolean
  value: T | undefined
  restored: boolean
  ready: boolean
}

export interface DraftOptions {
  /** False: starts from the draft found on opening and ignores later drafts of other tabs. */
  followsOtherTabs?: boolean
}

const getRecordKey = ({ key, page }: Pick<DraftRecord, 'key' | 'page'>) => `${key} ${page}`
const emptySnapshot = { isDrafted: false, value: undefined, restored: false }

export class DraftStore<T> {
  readonly key: string
  readonly #page = createClientId()
  readonly #person = getPageUserId()
  #storePromise: Promise<LocalStore | null>
  readonly #listeners = new Set<() => void>()
  #followsOtherTabs: boolean
  #hasLoaded = false
  #snapshot: DraftSnapshot<T>
  #isEdited = false
  #hasUnsavedText = false
  /** The record this page wrote last, and the one it continues from. */
  #ownRecord: DraftRecord | undefined
  #restoredRecord: DraftRecord | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #lastSave = 0
  #pendingWork: Promise<void> = Promise.resolve()
  #channel: BroadcastChannel | undefined
  #stopListening: (() => void) | undefined

  constructor(key: string, { followsOtherTabs = true }: DraftOptions = {}) {
    this.key = key
    this.#followsOtherTabs = followsOtherTabs
    this.#storePromise = this.#person === null ? Promise.resolve(null) : loadCurrentStore()
    this.#snapshot = { ...emptySnapshot, ready: this.#person === null }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly getSnapshot = (): DraftSnapshot<T> => this.#snapshot

  /** Returns the draft and stops following other tabs. */
  readonly takeSnapshot = (): DraftSnapshot<T> => {
    this.#followsOtherTabs = false
    this.#hasLoaded = true
    return this.#snapshot
  }

  open(): Promise<void> {
    if (this.#person !== null && !this.#channel) {
      this.#channel = new BroadcastChannel(`keeper-drafts-${this.#person}`)
      this.#channel.onmessage = ({ data }) => {
        if (data === this.key) void this.#load()
      }
    }
    this.#stopListening ??= onSignedInAgain(this.rewriteStored)
    return this.#load()
  }

  async close(): Promise<void> {
    const channel = this.#channel
    const flushed = this.flush()
    this.#stopListening?.()
    this.#stopListening = undefined
    this.#channel = undefined
    if (channel) channel.onmessage = null
    await flushed
    channel?.close()
  }

  readonly set = (value: T): void => {
    this.#isEdited = true
    this.#hasUnsavedText = true
    this.#setSnapshot({ isDrafted: true, value, restored: this.#snapshot.restored, ready: true })
    if (this.#timer !== undefined) return
    const delayMs = Math.max(0, saveDelayMs - (Date.now() - this.#lastSave))
    this.#timer = setTimeout(() => void this.flush(), delayMs)
  }

  readonly flush = (): Promise<void> => {
    const unsaved = this.#timer !== undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (unsaved) this.#enqueue((store) => this.#save(store))
    return this.#pendingWork
  }

  /** A flush may not finish before the page unloads, so the value also goes to session storage synchronously. */
  readonly saveOnUnload = (): void => {
    if (this.#hasUnsavedText && this.#person !== null && getSignedInUserId() === this.#person) {
      const record = this.#createRecord(this.#snapshot.value)
      saveUnloadEntry(this.#person, { place: getRecordKey(record), stamp: record.stamp, record })
    }
    void this.flush()
  }

  readonly clear = (): Promise<void> => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isEdited = false
    this.#deleteStored()
    this.#setSnapshot({ ...emptySnapshot, ready: true })
    return this.#pendingWork
  }

  /** Like `clear`, but the page shows it only after the stored draft is deleted, so leaving can't restore it. */
  readonly release = async (): Promise<void> => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#deleteStored()
    await this.#pendingWork
    this.#isEdited = false
    this.#setSnapshot({ ...emptySnapshot, ready: true })
  }

  /** Recorded synchronously for a page that opens before the deletion finishes. */
  #deleteStored(): void {
    this.#hasUnsavedText = false
    const ownKey = this.#ownRecordKey
    const removals: UnloadRemoval[] = [{ place: ownKey }]
    const restored = this.#restoredRecord
    if (restored) removals.push({ place: getRecordKey(restored), stamp: restored.stamp })
    if (this.#person !== null && getSignedInUserId() === this.#person)
      for (const removal of removals) saveUnloadEntry(this.#person, removal)
    this.#enqueue(async (store) => {
      for (const record of [this.#ownRecord, this.#restoredRecord])
        if (record) await store.remove('drafts', getRecordKey(record), record.stamp)
      this.#ownRecord = undefined
      this.#restoredRecord = undefined
      // A new draft may have been started meanwhile.
      for (const { place: recordKey } of removals)
        if (recordKey !== ownKey || !this.#hasUnsavedText) clearUnloadEntries(store.person, recordKey)
    })
  }

  /** The stored draft may have been cleared with the session; write it again. */
  readonly rewriteStored = (): void => {
    if (this.#person === null || getSignedInUserId() !== this.#person) return
    this.#storePromise = loadCurrentStore()
    if (!this.#snapshot.isDrafted) return
    this.#hasUnsavedText = true
    this.#enqueue((store) => this.#save(store))
  }

  async #load(): Promise<void> {
    try {
      const store = await this.#storePromise
      if (!store) return this.#setSnapshot({ ...this.#snapshot, ready: true })
      const newest = sortNewestFirst(await store.getAll<DraftRecord>('drafts')).find(({ key }) => key === this.key)
      const isReread = this.#hasLoaded && !this.#followsOtherTabs
      this.#hasLoaded = true
      // A page that is writing keeps its own text.
      if (this.#isEdited) return this.#setSnapshot({ ...this.#snapshot, ready: true })
      if (isReread) {
        if (!this.#restoredRecord || newest) return this.#setSnapshot({ ...this.#snapshot, ready: true })
        // Sent or discarded in another tab, so it must not reappear here.
        this.#restoredRecord = undefined
        return this.#setSnapshot({ ...emptySnapshot, ready: true })
      }
      this.#restoredRecord = newest
      this.#setSnapshot(
        newest
          ? { isDrafted: true, value: newest.value as T, restored: true, ready: true }
          : { ...emptySnapshot, ready: true },
      )
    } catch (reason) {
      if (!(reason instanceof StoreClosedError)) throw reason
      this.#setSnapshot({ ...this.#snapshot, ready: true })
    }
  }

  async #save(store: LocalStore): Promise<void> {
    const { isDrafted, value } = this.#snapshot
    if (!isDrafted) return
    this.#lastSave = Date.now()
    const record = this.#createRecord(value)
    await store.put('drafts', getRecordKey(record), record, record.stamp)
    this.#ownRecord = record
    if (this.#hasUnsavedText && this.#snapshot.value === value) this.#markSaved()
    const matchedRecord = this.#restoredRecord
    this.#restoredRecord = undefined
    // Its text is part of the new record now, unless its tab kept writing.
    if (matchedRecord) await store.remove('drafts', getRecordKey(matchedRecord), matchedRecord.stamp)
  }

  get #ownRecordKey(): string {
    return getRecordKey({ key: this.key, page: this.#page })
  }

  #createRecord(value: unknown): DraftRecord {
    return { key: this.key, page: this.#page, value, at: new Date().toISOString(), stamp: createClientId() }
  }

  #markSaved(): void {
    this.#hasUnsavedText = false
    if (this.#person !== null) clearUnloadEntries(this.#person, this.#ownRecordKey)
  }

  #enqueue(task: (store: LocalStore) => Promise<void>): void {
    // Captured, since the channel may be closed by then and the next page still needs the message.
    const channel = this.#channel
    this.#pendingWork = this.#pendingWork.then(async () => {
      try {
        const store = await this.#storePromise
        if (!store) return
        await task(store)
        if (channel) channel.postMessage(this.key)
        else this.#notifyAfterClose()
      } catch (reason) {
        if (!(reason instanceof StoreClosedError)) console.error('A draft could not be kept in this browser', reason)
      }
    })
  }

  #notifyAfterClose(): void {
    const channel = new BroadcastChannel(`keeper-drafts-${this.#person}`)
    channel.postMessage(this.key)
    channel.close()
  }

  #setSnapshot(snapshot: DraftSnapshot<T>): void {
    this.#snapshot = snapshot
    for (const listener of this.#listeners) listener()
  }
}

const sortNewestFirst = (records: DraftRecord[]): DraftRecord[] => records.toSorted((a, b) => (a.at < b.at ? 1 : -1))

/** The newest draft of each text, and older ones from other tabs. */
export async function listDrafts(store: LocalStore): Promise<{ newest: DraftRecord[]; older: DraftRecord[] }> {
  const records = sortNewestFirst(await store.getAll<DraftRecord>('drafts'))
  const newest = records.filter((record, index) => records.findIndex(({ key }) => key === record.key) === index)
  return { newest, older: records.filter((record) => !newest.includes(record)) }
}

export function discardDraft(store: LocalStore, record: DraftRecord): Promise<void> {
  return store.remove('drafts', getRecordKey(record), record.stamp)
}
