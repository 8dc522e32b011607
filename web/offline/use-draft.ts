import { useEffect, useState, useSyncExternalStore } from 'react'
import { Listeners } from '#contract/listeners.ts'
import { runWhenIdle } from '#web/ui/hooks/run-when-idle.ts'
import { createClientId } from './create-client-id.ts'
import { getCurrentStore, type LocalStore } from './local-store.ts'
import { getPageUserId, onSignedInAgain, StoreClosedError } from './signed-in-user.ts'

export interface Draft<T> {
  value: T
  set: (value: T) => void
  /** Discards the draft, or forgets it once the server has it. */
  clear: () => void
  /** Like `clear`, but resolves after the stored draft is deleted; await it before announcing the save. */
  release: () => Promise<void>
  restored: boolean
  /** False until this browser's store has been read. */
  ready: boolean
  /** When this page last stored it on disk, to the minute (ms). */
  savedAt: number | undefined
}

/** `key` is such as `reflection/{id}`. Without a draft the value is `initial`, even if that changes. */
export function useDraft<T>(key: string, initial: T, options?: DraftOptions): Draft<T> {
  const [currentStore, setCurrentStore] = useState(() => new DraftStore<T>(key, options))
  const draftStore = currentStore.key === key ? currentStore : new DraftStore<T>(key, options)
  if (draftStore !== currentStore) setCurrentStore(draftStore)
  const { subscribe, getSnapshot, set, clear, release } = draftStore
  const { isDrafted, value, restored, ready, savedAt } = useSyncExternalStore(subscribe, getSnapshot, getSnapshot)

  useEffect(() => {
    const flush = () => void draftStore.flush()
    const flushIfHidden = () => {
      if (document.visibilityState === 'hidden') flush()
    }
    void draftStore.open()
    addEventListener('pagehide', draftStore.saveOnUnload)
    document.addEventListener('focusout', flush)
    document.addEventListener('visibilitychange', flushIfHidden)
    return () => {
      removeEventListener('pagehide', draftStore.saveOnUnload)
      document.removeEventListener('focusout', flush)
      document.removeEventListener('visibilitychange', flushIfHidden)
      void draftStore.close()
    }
  }, [draftStore])

  return { value: isDrafted ? (value as T) : initial, set, clear, release, restored, ready, savedAt }
}

const minuteMs = 60_000

/** Maximum delay before a change is stored, and the part of it that waits for an idle moment (ms). */
const [saveDelayMs, idleWaitMs] = [250, 50]

export interface DraftRecord {
  key: string
  /** Identifies the writing page, so that tabs never overwrite each other. */
  page: string
  value: unknown
  at: string
  stamp: string
}

interface DraftSnapshot<T> {
  /** False while nothing is drafted; the page shows its initial value. */
  isDrafted: boolean
  value: T | undefined
  restored: boolean
  ready: boolean
  savedAt?: number
}

export interface DraftOptions {
  /** False for secrets: the draft is lost with the page. */
  isStored?: boolean
  /** False: starts from the draft found on opening and ignores later drafts of other tabs. */
  followsOtherTabs?: boolean
}

const getRecordName = ({ key, page }: Pick<DraftRecord, 'key' | 'page'>) => `${key} ${page}`
const emptySnapshot = { isDrafted: false, value: undefined, restored: false, ready: true }

export class DraftStore<T> {
  readonly key: string
  readonly #page = createClientId()
  /** Null for drafts that aren't stored. */
  readonly #userId: string | null
  readonly #listeners = new Listeners()
  #followsOtherTabs: boolean
  #hasLoaded = false
  #snapshot: DraftSnapshot<T>
  #isEdited = false
  #hasUnsavedText = false
  /** The record this page wrote last, and the one it continues from. */
  #writtenRecord: DraftRecord | undefined
  #restoredRecord: DraftRecord | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** On the monotonic clock: after the system clock is set back, the next save must not wait. */
  #lastSaveMs = Number.NEGATIVE_INFINITY
  #pendingWork: Promise<void> = Promise.resolve()
  #channel: BroadcastChannel | undefined
  #stopListening: (() => void) | undefined

  constructor(key: string, { followsOtherTabs = true, isStored = true }: DraftOptions = {}) {
    this.key = key
    this.#userId = isStored ? getPageUserId() : null
    this.#snapshot = { ...emptySnapshot, ready: this.#userId === null }
    this.#followsOtherTabs = followsOtherTabs
  }

  readonly subscribe = this.#listeners.add
  readonly getSnapshot = (): DraftSnapshot<T> => this.#snapshot

  /** Returns the draft and stops following other tabs. */
  readonly takeSnapshot = (): DraftSnapshot<T> => {
    this.#followsOtherTabs = false
    this.#hasLoaded = true
    return this.#snapshot
  }

  open(): Promise<void> {
    if (this.#userId !== null && !this.#channel) {
      this.#channel = this.#openChannel()
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
    this.#setSnapshot({ ...this.#snapshot, isDrafted: true, value, ready: true })
    if (this.#timer !== undefined) return
    const delayMs = Math.max(0, saveDelayMs - idleWaitMs - (performance.now() - this.#lastSaveMs))
    this.#timer = setTimeout(() => runWhenIdle(() => void this.flush(), idleWaitMs), delayMs)
  }

  readonly flush = (): Promise<void> => {
    if (this.#stopTimer()) this.#enqueue((store) => this.#save(store))
    return this.#pendingWork
  }

  /** A flush may not finish before the page unloads, so the value is also written to session storage synchronously. */
  readonly saveOnUnload = (): void => {
    if (this.#hasUnsavedText) {
      const record = this.#createRecord(this.#snapshot.value)
      this.#getStore()?.saveUnloadEntry({ place: this.#recordName, stamp: record.stamp, record })
    }
    void this.flush()
  }

  readonly clear = (): Promise<void> => {
    const deleted = this.#deleteStored()
    this.#setEmpty()
    return deleted
  }

  /** Like `clear`, but the page shows it only after the stored draft is deleted, so leaving can't restore it. */
  readonly release = async (): Promise<void> => {
    await this.#deleteStored()
    this.#setEmpty()
  }

  /** Also records the deletion synchronously, for a page that opens before it finishes. */
  #deleteStored(): Promise<void> {
    this.#stopTimer()
    this.#hasUnsavedText = false
    const restored = this.#restoredRecord
    const removals = [
      { place: this.#recordName },
      ...(restored ? [{ place: getRecordName(restored), stamp: restored.stamp }] : []),
    ]
    for (const removal of removals) this.#getStore()?.saveUnloadEntry(removal)
    this.#enqueue(async (store) => {
      for (const record of [this.#writtenRecord, this.#restoredRecord]) if (record) await discardDraft(store, record)
      this.#writtenRecord = undefined
      this.#restoredRecord = undefined
      // A new draft may have been started in the meantime.
      for (const { place: name } of removals)
        if (name !== this.#recordName || !this.#hasUnsavedText) store.clearUnloadEntries(name)
    })
    return this.#pendingWork
  }

  /** The stored draft may have been cleared with the session; write it again. */
  readonly rewriteStored = (): void => {
    if (!this.#snapshot.isDrafted || !this.#getStore()) return
    this.#hasUnsavedText = true
    this.#enqueue((store) => this.#save(store))
  }

  async #load(): Promise<void> {
    try {
      const store = this.#getStore()
      if (!store) return this.#setSnapshot({ ...this.#snapshot, ready: true })
      const newest = sortNewestFirst(await store.getAll<DraftRecord>('drafts')).find(({ key }) => key === this.key)
      const isReread = this.#hasLoaded && !this.#followsOtherTabs
      this.#hasLoaded = true
      // A page with edits keeps its text; a page that doesn't follow other tabs keeps the draft it found.
      if (this.#isEdited || (isReread && (!this.#restoredRecord || newest)))
        return this.#setSnapshot({ ...this.#snapshot, ready: true })
      this.#restoredRecord = newest
      this.#setSnapshot(
        newest ? { isDrafted: true, value: newest.value as T, restored: true, ready: true } : emptySnapshot,
      )
    } catch (reason) {
      if (!(reason instanceof StoreClosedError)) throw reason
      this.#setSnapshot({ ...this.#snapshot, ready: true })
    }
  }

  async #save(store: LocalStore): Promise<void> {
    const { isDrafted, value } = this.#snapshot
    if (!isDrafted) return
    this.#lastSaveMs = performance.now()
    const record = this.#createRecord(value)
    await store.put('drafts', this.#recordName, record, record.stamp)
    this.#writtenRecord = record
    const savedAt = Math.floor(Date.now() / minuteMs) * minuteMs
    if (this.#snapshot.isDrafted && savedAt !== this.#snapshot.savedAt && store.isOnDisk('drafts', this.#recordName))
      this.#setSnapshot({ ...this.#snapshot, savedAt })
    if (this.#hasUnsavedText && this.#snapshot.value === value) {
      this.#hasUnsavedText = false
      store.clearUnloadEntries(this.#recordName)
    }
    const replacedRecord = this.#restoredRecord
    this.#restoredRecord = undefined
    // The new record contains the replaced draft, which stays only if its tab kept writing.
    if (replacedRecord) await discardDraft(store, replacedRecord)
  }

  /** Null while the writer isn't signed in. */
  #getStore(): LocalStore | null {
    const store = getCurrentStore()
    return store?.userId === this.#userId ? store : null
  }

  get #recordName(): string {
    return getRecordName({ key: this.key, page: this.#page })
  }

  #createRecord(value: unknown): DraftRecord {
    return { key: this.key, page: this.#page, value, at: new Date().toISOString(), stamp: createClientId() }
  }

  #stopTimer(): boolean {
    const isRunning = this.#timer !== undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    return isRunning
  }

  #enqueue(task: (store: LocalStore) => Promise<void>): void {
    // Captured, since the channel may be closed by then and the next page still needs the message.
    const openChannel = this.#channel
    this.#pendingWork = this.#pendingWork.then(async () => {
      try {
        const store = this.#getStore()
        if (!store) return
        await task(store)
        const channel = openChannel ?? this.#openChannel()
        channel.postMessage(this.key)
        if (!openChannel) channel.close()
      } catch (reason) {
        if (!(reason instanceof StoreClosedError)) console.error('A draft could not be kept in this browser', reason)
      }
    })
  }

  #openChannel(): BroadcastChannel {
    return new BroadcastChannel(`keeper-drafts-${this.#userId}`)
  }

  #setEmpty(): void {
    this.#isEdited = false
    this.#setSnapshot(emptySnapshot)
  }

  #setSnapshot(snapshot: DraftSnapshot<T>): void {
    this.#snapshot = snapshot
    this.#listeners.notify()
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
  return store.remove('drafts', getRecordName(record), record.stamp)
}
