import { createClientId } from '#web/offline/create-client-id.ts'
import type { DraftRecord } from '#web/offline/draft-store.ts'
import type { LocalStore } from '#web/offline/local-store.ts'
import { loadCurrentStore, StoreClosedError } from '#web/offline/signed-in-user.ts'
import { holdTabLock, isTabLockHeld } from '#web/offline/tab-locks.ts'
import { formatClock } from '#web/ui/format-clock.ts'

/** A stored recording whose page was closed before it ended. */
export interface InterruptedRecording {
  id: string
  /** The id of the entry it belongs to, or 'new'. */
  place: string
  keeperId: string
  type: string
  pieces: number
  durationMs: number
  /** Start time (ISO). */
  at: string
  title: string
}

type RecordingTarget = Pick<InterruptedRecording, 'place' | 'keeperId' | 'type'>

const prefix = 'recording/'
const getLockName = ({ id }: Pick<InterruptedRecording, 'id'>) => `keeper-recording-${id}`
const getChunkKey = (id: string, index: number) => `${prefix}${id}/${index}`
/** Stored as a draft, so that signing out asks about it. */
const toDraftRecord = (left: InterruptedRecording): DraftRecord => ({
  key: prefix + left.id,
  page: left.id,
  value: left,
  at: left.at,
  stamp: createClientId(),
})
const getDraftKey = ({ id }: Pick<InterruptedRecording, 'id'>) => `${prefix}${id} ${id}`

/** Stored chunk by chunk in case the page closes. A lock tells other tabs that the recording is still running. */
export class RunningRecording {
  readonly #left: InterruptedRecording
  readonly #vault = loadCurrentStore()
  #work: Promise<void> = Promise.resolve()
  readonly #tabLock: Promise<() => void>

  constructor(about: RecordingTarget) {
    this.#left = { ...about, id: createClientId(), pieces: 0, durationMs: 0, at: new Date().toISOString(), title: '' }
    this.#tabLock = holdTabLock(getLockName(this.#left))
  }

  /** @param durationMs the total duration including this chunk */
  add(chunk: Blob, durationMs: number): void {
    const left = this.#left
    const index = left.pieces++
    left.durationMs = Math.round(durationMs)
    left.title = `Recording, ${formatClock(durationMs / 1000)}`
    const draft = toDraftRecord({ ...left })
    this.#then(async (store) => {
      await store.put('bytes', getChunkKey(left.id, index), await chunk.arrayBuffer())
      await store.put('drafts', getDraftKey(left), draft, draft.stamp)
    })
  }

  /** Releases the lock after a failed upload, so that any tab can offer the recording. */
  leave(): void {
    void this.#tabLock.then((release) => release())
  }

  forget(): Promise<void> {
    this.#then((store) => deleteInterruptedRecording(this.#left, store))
    this.#work = this.#work.finally(() => this.leave())
    return this.#work
  }

  #then(work: (store: LocalStore) => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      try {
        const store = await this.#vault
        if (store) await work(store)
      } catch (reason) {
        // The recording itself continues.
        if (!(reason instanceof StoreClosedError))
          console.error('A recording could not be kept in this browser', reason)
      }
    })
  }
}

/** Recordings for this keeper that no page is recording, oldest first. */
export async function listInterruptedRecordings(keeperId: string): Promise<InterruptedRecording[]> {
  const store = await loadCurrentStore()
  const drafts = (await store?.all<DraftRecord>('drafts')) ?? []
  const ofKeeper = drafts
    .filter(({ key }) => key.startsWith(prefix))
    .map(({ value }) => value as InterruptedRecording)
    .filter((left) => left.keeperId === keeperId)
  const running = await Promise.all(ofKeeper.map((left) => isTabLockHeld(getLockName(left))))
  return ofKeeper.filter((_, index) => !running[index]).toSorted((one, other) => one.at.localeCompare(other.at))
}

/** The recorded audio up to the first unreadable chunk. */
export async function readSound({ id, pieces, type }: InterruptedRecording): Promise<Blob> {
  const store = await loadCurrentStore()
  const names = Array.from({ length: pieces }, (_, index) => getChunkKey(id, index))
  const read = await Promise.all(names.map((name) => store?.get<ArrayBuffer>('bytes', name)))
  const gap = read.indexOf(undefined)
  return new Blob((gap < 0 ? read : read.slice(0, gap)) as ArrayBuffer[], { type })
}

export async function deleteInterruptedRecording(left: InterruptedRecording, from?: LocalStore): Promise<void> {
  const store = from ?? (await loadCurrentStore())
  if (!store) return
  // The draft goes first, so that it never names missing chunks.
  await store.remove('drafts', getDraftKey(left))
  for (let index = 0; index < left.pieces; index++) await store.remove('bytes', getChunkKey(left.id, index))
}
