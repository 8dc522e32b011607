import { forgetLastWords, type LastRemoval, leaveLastWords } from './last-words.ts'
import { newClientId } from './new-client-id.ts'
import type { Vault } from './vault.ts'
import { onSignedInAgain, ownVaultLater, VaultClosed, whoseBrowser, whosePageOrBrowser } from './whose-browser.ts'

/** At most this long after a change it lies in the browser. */
const restMs = 250

export interface DraftRecord {
  key: string
  /** Of the page that wrote it: two tabs never write over each other. */
  page: string
  value: unknown
  /** ISO. */
  at: string
  stamp: string
}

export interface DraftSeen<T> {
  /** False: nothing is drafted; the page shows what it began with. */
  held: boolean
  value: T | undefined
  restored: boolean
  ready: boolean
}

export interface DraftOptions {
  /**
   * False for whoever goes on from what lay there as the page opened and shows nothing of what comes later: what another
   * tab drafts from then on stays that tab's own.
   */
  follows?: boolean
}

const placeOf = ({ key, page }: Pick<DraftRecord, 'key' | 'page'>) => `${key} ${page}`
const nothing = { held: false, value: undefined, restored: false }

/** One text in the making, of one page. */
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
  /** Something was set that does not lie in the browser yet. */
  #unsealed = false
  /** What this page wrote last, and what it found and goes on from. */
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

  /** For whoever takes what is seen, at a time of their own choosing, and follows it no more from then on. */
  readonly take = (): DraftSeen<T> => {
    this.#follows = false
    this.#looked = true
    return this.#seen
  }

  /** Begins to listen to the other tabs and looks what is there. */
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

  /** Writes what is not written yet and lets go. */
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

  /** Resolves when what was last set lies in the browser. */
  readonly flush = (): Promise<void> => {
    const unsaved = this.#timer !== undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (unsaved) this.#then((vault) => this.#save(vault))
    return this.#work
  }

  /** The page may be gone before a flush is done: what it would write is left for the next one, which is done at once. */
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

  /** The same, seen on the page only once this browser has it no more: whoever then leaves does not find it again. */
  readonly letGo = async (): Promise<void> => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#throwAway()
    await this.#work
    this.#touched = false
    this.#show({ ...nothing, ready: true })
  }

  /** Said at once to the page that may come before the vault has done it. */
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
      // Meanwhile something else may have been begun, and left there.
      for (const { place } of going) if (place !== own || !this.#unsealed) forgetLastWords(vault.person, place)
    })
  }

  /** What lay in the browser may have been cleared together with the session; what this page shows was not. */
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
      // Whoever writes here goes on with their own; what was found stays for itself.
      if (this.#touched) return this.#show({ ...this.#seen, ready: true })
      if (isLater) {
        if (!this.#found || newest) return this.#show({ ...this.#seen, ready: true })
        // What was found was sent or dropped elsewhere: it is not to come again here.
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
    // It is contained in this one now, unless its tab went on writing.
    if (found) await vault.remove('drafts', placeOf(found), found.stamp)
  }

  get #ownPlace(): string {
    return placeOf({ key: this.key, page: this.#page })
  }

  #recordOf(value: unknown): DraftRecord {
    return { key: this.key, page: this.#page, value, at: new Date().toISOString(), stamp: newClientId() }
  }

  /** Also when the page was left and is here again. */
  #allSealed(): void {
    this.#unsealed = false
    if (this.#person !== null) forgetLastWords(this.#person, this.#ownPlace)
  }

  #then(work: (vault: Vault) => Promise<void>): void {
    // Also when it is closed, or is meanwhile: the page that comes next may have looked already.
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

/** All drafts of this person: the newest of each text, and the older ones that another tab wrote over. */
export async function keptDrafts(vault: Vault): Promise<{ newest: DraftRecord[]; older: DraftRecord[] }> {
  const records = newestFirst(await vault.all<DraftRecord>('drafts'))
  const newest = records.filter((record, index) => records.findIndex(({ key }) => key === record.key) === index)
  return { newest, older: records.filter((record) => !newest.includes(record)) }
}

export function throwDraftAway(vault: Vault, record: DraftRecord): Promise<void> {
  return vault.remove('drafts', placeOf(record), record.stamp)
}
