import { createClientId } from '#web/offline/create-client-id.ts'
import { getCurrentStore, holdTabLock, isTabLockHeld, type LocalStore } from '#web/offline/local-store.ts'
import { StoreClosedError } from '#web/offline/signed-in-user.ts'
import type { DraftRecord } from '#web/offline/use-draft.ts'
import { formatClock } from '#web/ui/text/format-clock.ts'

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

const recordingKeyPrefix = 'recording/'
const getLockName = ({ id }: Pick<InterruptedRecording, 'id'>) => `keeper-recording-${id}`
const getChunkKey = (id: string, index: number) => `${recordingKeyPrefix}${id}/${index}`
/** Stored as a draft, so that signing out asks about it. */
const toDraftRecord = (recording: InterruptedRecording): DraftRecord => ({
  key: recordingKeyPrefix + recording.id,
  page: recording.id,
  value: recording,
  at: recording.at,
  stamp: createClientId(),
})
const getDraftKey = ({ id }: Pick<InterruptedRecording, 'id'>) => `${recordingKeyPrefix}${id} ${id}`

/** Stored chunk by chunk in case the page closes. A lock tells other tabs that the recording is still running. */
export class RunningRecording {
  readonly #recording: InterruptedRecording
  readonly #store = getCurrentStore()
  #pendingWork: Promise<void> = Promise.resolve()
  readonly #tabLock: Promise<() => void>

  constructor(target: RecordingTarget) {
    this.#recording = {
      ...target,
      id: createClientId(),
      pieces: 0,
      durationMs: 0,
      at: new Date().toISOString(),
      title: '',
    }
    this.#tabLock = holdTabLock(getLockName(this.#recording))
  }

  /** @param durationMs the total duration including this chunk */
  add(chunk: Blob, durationMs: number): void {
    const recording = this.#recording
    const index = recording.pieces++
    recording.durationMs = Math.round(durationMs)
    recording.title = `Recording, ${formatClock(durationMs / 1000)}`
    const draft = toDraftRecord({ ...recording })
    this.#enqueue(async (store) => {
      await store.put('bytes', getChunkKey(recording.id, index), await chunk.arrayBuffer())
      await store.put('drafts', getDraftKey(recording), draft, draft.stamp)
    })
  }

  /** Releases the lock after a failed upload, so that any tab can offer the recording. */
  leave(): void {
    void this.#tabLock.then((release) => release())
  }

  forget(): Promise<void> {
    this.#enqueue((store) => deleteInterruptedRecording(this.#recording, store))
    this.#pendingWork = this.#pendingWork.finally(() => this.leave())
    return this.#pendingWork
  }

  #enqueue(task: (store: LocalStore) => Promise<void>): void {
    this.#pendingWork = this.#pendingWork.then(async () => {
      try {
        if (this.#store) await task(this.#store)
      } catch (reason) {
        // The recording itself continues.
        if (!(reason instanceof StoreClosedError))
          console.error('A recording could not be stored in this browser', reason)
      }
    })
  }
}

/** Recordings for this keeper that no page is recording, oldest first. */
export async function listInterruptedRecordings(keeperId: string): Promise<InterruptedRecording[]> {
  const drafts = (await getCurrentStore()?.getAll<DraftRecord>('drafts')) ?? []
  const keeperRecordings = drafts
    .filter(({ key }) => key.startsWith(recordingKeyPrefix))
    .map(({ value }) => value as InterruptedRecording)
    .filter((recording) => recording.keeperId === keeperId)
  const areRunning = await Promise.all(keeperRecordings.map((recording) => isTabLockHeld(getLockName(recording))))
  return keeperRecordings.filter((_, index) => !areRunning[index]).toSorted((a, b) => a.at.localeCompare(b.at))
}

/** The recorded audio up to the first unreadable chunk. */
export async function readRecording({ id, pieces, type }: InterruptedRecording): Promise<Blob> {
  const store = getCurrentStore()
  const keys = Array.from({ length: pieces }, (_, index) => getChunkKey(id, index))
  const chunks = await Promise.all(keys.map((key) => store?.get<ArrayBuffer>('bytes', key)))
  const gapIndex = chunks.indexOf(undefined)
  return new Blob((gapIndex < 0 ? chunks : chunks.slice(0, gapIndex)) as ArrayBuffer[], { type })
}

export async function deleteInterruptedRecording(
  recording: InterruptedRecording,
  store: LocalStore | null = getCurrentStore(),
): Promise<void> {
  if (!store) return
  // Deletes the draft first, so that it never names missing chunks.
  await store.remove('drafts', getDraftKey(recording))
  for (let index = 0; index < recording.pieces; index++) await store.remove('bytes', getChunkKey(recording.id, index))
}
