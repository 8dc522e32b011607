import type { DraftRecord } from '#web/offline/draft-keeper.ts'
import { newClientId } from '#web/offline/new-client-id.ts'
import { isSomewhere, sayHere } from '#web/offline/turns.ts'
import type { Vault } from '#web/offline/vault.ts'
import { ownVaultLater, VaultClosed } from '#web/offline/whose-browser.ts'
import { clockText } from '#web/ui/clock-text.ts'

/** A stored recording whose page was closed before it ended. */
export interface LeftRecording {
  id: string
  /** The id of the entry it belongs to, or 'new'. */
  place: string
  keeperId: string
  type: string
  pieces: number
  durationMs: number
  /** Start time (ISO). */
  at: string
  /** Its name in the list of drafts. */
  title: string
}

type About = Pick<LeftRecording, 'place' | 'keeperId' | 'type'>

const prefix = 'recording/'
const runningOf = ({ id }: Pick<LeftRecording, 'id'>) => `keeper-recording-${id}`
const pieceOf = (id: string, index: number) => `${prefix}${id}/${index}`
/** Stored as a draft, so that signing out asks about it. */
const draftOf = (left: LeftRecording): DraftRecord => ({
  key: prefix + left.id,
  page: left.id,
  value: left,
  at: left.at,
  stamp: newClientId(),
})
const placeOf = ({ id }: Pick<LeftRecording, 'id'>) => `${prefix}${id} ${id}`

/**
 * Stores a recording chunk by chunk until it is uploaded or discarded, in case the page closes or the machine stops. A
 * lock tells other tabs that the recording is still running.
 */
export class RunningRecording {
  readonly #left: LeftRecording
  readonly #vault = ownVaultLater()
  #work: Promise<void> = Promise.resolve()
  readonly #letGo: Promise<() => void>

  constructor(about: About) {
    this.#left = { ...about, id: newClientId(), pieces: 0, durationMs: 0, at: new Date().toISOString(), title: '' }
    this.#letGo = sayHere(runningOf(this.#left))
  }

  /** @param durationMs the total duration including this chunk */
  add(piece: Blob, durationMs: number): void {
    const left = this.#left
    const index = left.pieces++
    left.durationMs = Math.round(durationMs)
    left.title = `Recording, ${clockText(durationMs / 1000)}`
    const draft = draftOf({ ...left })
    this.#then(async (vault) => {
      await vault.put('bytes', pieceOf(left.id, index), await piece.arrayBuffer())
      await vault.put('drafts', placeOf(left), draft, draft.stamp)
    })
  }

  /** Releases the lock after a failed upload, so that any tab can offer the recording. */
  leave(): void {
    void this.#letGo.then((letGo) => letGo())
  }

  /** Deletes the stored recording after it was uploaded or discarded. */
  forget(): Promise<void> {
    this.#then((vault) => throwLeftAway(this.#left, vault))
    this.#work = this.#work.finally(() => this.leave())
    return this.#work
  }

  #then(work: (vault: Vault) => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      try {
        const vault = await this.#vault
        if (vault) await work(vault)
      } catch (reason) {
        // The recording itself continues.
        if (!(reason instanceof VaultClosed)) console.error('A recording could not be kept in this browser', reason)
      }
    })
  }
}

/** Recordings for this keeper that no page is recording, oldest first. */
export async function leftRecordings(keeperId: string): Promise<LeftRecording[]> {
  const vault = await ownVaultLater()
  const drafts = (await vault?.all<DraftRecord>('drafts')) ?? []
  const ofKeeper = drafts
    .filter(({ key }) => key.startsWith(prefix))
    .map(({ value }) => value as LeftRecording)
    .filter((left) => left.keeperId === keeperId)
  const running = await Promise.all(ofKeeper.map((left) => isSomewhere(runningOf(left))))
  return ofKeeper.filter((_, index) => !running[index]).toSorted((one, other) => one.at.localeCompare(other.at))
}

/** The recorded audio up to the first unreadable chunk. */
export async function soundOf({ id, pieces, type }: LeftRecording): Promise<Blob> {
  const vault = await ownVaultLater()
  const names = Array.from({ length: pieces }, (_, index) => pieceOf(id, index))
  const read = await Promise.all(names.map((name) => vault?.get<ArrayBuffer>('bytes', name)))
  const gap = read.indexOf(undefined)
  return new Blob((gap < 0 ? read : read.slice(0, gap)) as ArrayBuffer[], { type })
}

export async function throwLeftAway(left: LeftRecording, from?: Vault): Promise<void> {
  const vault = from ?? (await ownVaultLater())
  if (!vault) return
  // The draft goes first, so that it never names missing chunks.
  await vault.remove('drafts', placeOf(left))
  for (let index = 0; index < left.pieces; index++) await vault.remove('bytes', pieceOf(left.id, index))
}
