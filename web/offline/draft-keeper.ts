import { forgetLastWords, type LastRemoval, leaveLastWords } from './last-words.ts'
import { newClientId } from './new-client-id.ts'
import type { Vault } from './vault.ts'
import { onSignedInAgain, ownVaultLater, VaultClosed, whoseBrowser, whosePageOrBrowser } from './whose-browser.ts'

/** Maximum delay before a change is stored (ms). */
const restMs = 250

export interface DraftRecord {
  key: string
  /** Identifies the writing page, so that tabs never overwrite each other. */
  page: string
  value: unknown
  at: string
  stamp: string
}

export interface DraftSeen<T> {
  /** False while nothing is drafted; the page shows its initial value. */
  held: boolean
  value: T | undefined
  restored: boolean
  ready: boolean
}

export interface DraftOptions {
  /** False: starts from the draft found on opening and ignores later drafts of other tabs. */
  follows?: boolean
}

const placeOf = ({ key, page }: Pick<DraftRecord, 'key' | 'page'>) => `${key} ${page}`
const nothing = { held: false, value: undefined, restored: false }

/** One page's draft of one text. */
export class DraftKeeper<T> {
  readonly key: string
  readonly #page = newClientId()
  readonly #person = whosePageOrBrowser()
  #vault: Promise<Vault | null>
  readonly #listeners = new Set<() => void>()
  #follows: boolean
  #looked = false
  #seen: DraftSeen<T>
  #touched = false
  #unsealed = false
  /** The record this page wrote last, and the one it continues from. */
  #own: DraftRecord | undefined
  #found: DraftRecord | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #lastSave = 0
  #work: Promise<void> = Promise.resolve()
  #channel: BroadcastChannel | undefined
  #stopListening: (() => void) | undefined

  constructor(key: string, { follows = true }: DraftOptions = {}) {
    this.key = key
    this.#follows = follows
    this.#vault = this.#person === null ? Promise.resolve(null) : ownVaultLater()
    this.#seen = { ...nothing, ready: this.#person === null }
  }

  readonly listen = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }
  readonly seen = (): DraftSeen<T> => this.#seen

  /** Returns the draft and stops following other tabs. */
  readonly take = (): DraftSeen<T> => {
    this.#follows = false
    this.#looked = true
    return this.#seen
  }

  open(): Promise<void> {
    if (this.#person !== null && !this.#channel) {
      this.#channel = new BroadcastChannel(`keeper-drafts-${this.#person}`)
      this.#channel.onmessage = ({ data }) => {
        if (data === this.key) void this.#look()
      }
    }
    this.#stopListening ??= onSignedInAgain(this.writeAgain)
    return this.#look()
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
    this.#touched = true
    this.#unsealed = true
    this.#show({ held: true, value, restored: this.#seen.restored, ready: true })
    if (this.#timer !== undefined) return
    const wait = Math.max(0, restMs - (Date.now() - this.#lastSave))
    this.#timer = setTimeout(() => void this.flush(), wait)
  }

  /** Resolves when the last value is stored. */
  readonly flush = (): Promise<void> => {
    const unsaved = this.#timer !== undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (unsaved) this.#then((vault) => this.#save(vault))
    return this.#work
  }

  /** A flush may not finish before the page unloads, so the value also goes to session storage synchronously. */
  readonly leave = (): void => {
    if (this.#unsealed && this.#person !== null && whoseBrowser() === this.#person) {
      const record = this.#recordOf(this.#seen.value)
      leaveLastWords(this.#person, { place: placeOf(record), stamp: record.stamp, record })
    }
    void this.flush()
  }

  readonly clear = (): Promise<void> => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#touched = false
    this.#throwAway()
    this.#show({ ...nothing, ready: true })
    return this.#work
  }

  /** Like `clear`, but the page shows it only after the stored draft is deleted, so leaving can't restore it. */
  readonly letGo = async (): Promise<void> => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#throwAway()
    await this.#work
    this.#touched = false
    this.#show({ ...nothing, ready: true })
  }

  /** Recorded synchronously for a page that opens before the deletion finishes. */
  #throwAway(): void {
    this.#unsealed = false
    const own = this.#ownPlace
    const going: LastRemoval[] = [{ place: own }]
    if (this.#found) going.push({ place: placeOf(this.#found), stamp: this.#found.stamp })
    if (this.#person !== null && whoseBrowser() === this.#person)
      for (const removal of going) leaveLastWords(this.#person, removal)
    this.#then(async (vault) => {
      for (const record of [this.#own, this.#found])
        if (record) await vault.remove('drafts', placeOf(record), record.stamp)
      this.#own = undefined
      this.#found = undefined
      // A new draft may have been started meanwhile.
      for (const { place } of going) if (place !== own || !this.#unsealed) forgetLastWords(vault.person, place)
    })
  }

  /** The stored draft may have been cleared with the session; write it again. */
  readonly writeAgain = (): void => {
    if (this.#person === null || whoseBrowser() !== this.#person) return
    this.#vault = ownVaultLater()
    if (!this.#seen.held) return
    this.#unsealed = true
    this.#then((vault) => this.#save(vault))
  }

  async #look(): Promise<void> {
    try {
      const vault = await this.#vault
      if (!vault) return this.#show({ ...this.#seen, ready: true })
      const newest = newestFirst(await vault.all<DraftRecord>('drafts')).find(({ key }) => key === this.key)
      const isLater = this.#looked && !this.#follows
      this.#looked = true
      // A page that is writing keeps its own text.
      if (this.#touched) return this.#show({ ...this.#seen, ready: true })
      if (isLater) {
        if (!this.#found || newest) return this.#show({ ...this.#seen, ready: true })
        // Sent or discarded in another tab, so it must not reappear here.
        this.#found = undefined
        return this.#show({ ...nothing, ready: true })
      }
      this.#found = newest
      this.#show(
        newest ? { held: true, value: newest.value as T, restored: true, ready: true } : { ...nothing, ready: true },
      )
    } catch (reason) {
      if (!(reason instanceof VaultClosed)) throw reason
      this.#show({ ...this.#seen, ready: true })
    }
  }

  async #save(vault: Vault): Promise<void> {
    const { held, value } = this.#seen
    if (!held) return
    this.#lastSave = Date.now()
    const record = this.#recordOf(value)
    await vault.put('drafts', placeOf(record), record, record.stamp)
    this.#own = record
    if (this.#unsealed && this.#seen.value === value) this.#allSealed()
    const found = this.#found
    this.#found = undefined
    // Its text is part of the new record now, unless its tab kept writing.
    if (found) await vault.remove('drafts', placeOf(found), found.stamp)
  }

  get #ownPlace(): string {
    return placeOf({ key: this.key, page: this.#page })
  }

  #recordOf(value: unknown): DraftRecord {
    return { key: this.key, page: this.#page, value, at: new Date().toISOString(), stamp: newClientId() }
  }

  #allSealed(): void {
    this.#unsealed = false
    if (this.#person !== null) forgetLastWords(this.#person, this.#ownPlace)
  }

  #then(work: (vault: Vault) => Promise<void>): void {
    // Captured, since the channel may be closed by then and the next page still needs the message.
    const channel = this.#channel
    this.#work = this.#work.then(async () => {
      try {
        const vault = await this.#vault
        if (!vault) return
        await work(vault)
        if (channel) channel.postMessage(this.key)
        else this.#tellLate()
      } catch (reason) {
        if (!(reason instanceof VaultClosed)) console.error('A draft could not be kept in this browser', reason)
      }
    })
  }

  #tellLate(): void {
    const channel = new BroadcastChannel(`keeper-drafts-${this.#person}`)
    channel.postMessage(this.key)
    channel.close()
  }

  #show(seen: DraftSeen<T>): void {
    this.#seen = seen
    for (const changed of this.#listeners) changed()
  }
}

const newestFirst = (records: DraftRecord[]): DraftRecord[] =>
  records.toSorted((one, other) => (one.at < other.at ? 1 : -1))

/** The newest draft of each text, and older ones from other tabs. */
export async function keptDrafts(vault: Vault): Promise<{ newest: DraftRecord[]; older: DraftRecord[] }> {
  const records = newestFirst(await vault.all<DraftRecord>('drafts'))
  const newest = records.filter((record, index) => records.findIndex(({ key }) => key === record.key) === index)
  return { newest, older: records.filter((record) => !newest.includes(record)) }
}

export function throwDraftAway(vault: Vault, record: DraftRecord): Promise<void> {
  return vault.remove('drafts', placeOf(record), record.stamp)
}
