import { keeperMedia, type Media, type MediaKind } from '#contract/keepers/media.ts'
import { NetworkError } from '#web/api.ts'
import { getReachability } from '#web/api-journal.ts'
import { upload } from '#web/api-upload.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { registerFileUpload } from '#web/offline/file-uploads.ts'
import { uploadOrQueue } from '#web/offline/send-or-queue.ts'
import { getSignedInUserId } from '#web/offline/signed-in-user.ts'
import { showToast } from '#web/ui/show-toast.tsx'
import { type MediaDimensions, measureMedia, prepareUpload, type UploadFile } from './media-file.ts'
import { cacheLocalFile } from './use-media-url.ts'

export interface PickedMedia extends Pick<Media, 'id' | 'kind' | 'mime'>, MediaDimensions {
  name: string | null
  alt: string | null
  /** Queued in this browser until the server can be reached. */
  waits?: boolean
}

export interface Uploading {
  id: string
  name: string
  /** Progress from 0 to 1. */
  share: number
  error?: string | undefined
}

interface Job extends UploadFile {
  id: string
  name: string
  abort: AbortController
  /** The form that receives the file: the one that started it, or its successor. */
  form: FormUploads
}

const openForms = new Set<FormUploads>()
const leftForms = new Set<FormUploads>()

/** Uploads outlive their form: files end up in the draft it left, or in a later form with the same draft key. */
export class FormUploads {
  readonly draftKey: string
  readonly #keeperId: string
  readonly person = getSignedInUserId()
  readonly #jobs = new Map<string, Job>()
  readonly #listeners = new Set<() => void>()
  #running: readonly Uploading[] = []
  /** Called after the form has unmounted, too. */
  onPicked: (media: PickedMedia) => void = () => undefined

  constructor(keeperId: string, draftKey: string) {
    this.#keeperId = keeperId
    this.draftKey = draftKey
  }

  readonly listen = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }
  readonly running = (): readonly Uploading[] => this.#running

  /** Marks the form as open and takes over uploads left under its draft key. */
  enter(): void {
    openForms.add(this)
    leftForms.delete(this)
    for (const left of [...leftForms]) {
      if (left.person !== this.person) left.stopAll()
      else if (left.draftKey === this.draftKey) this.#takeOver(left)
    }
  }

  leave(): void {
    openForms.delete(this)
    if (this.#jobs.size === 0) return
    leftForms.add(this)
    const successor = [...openForms].find(
      ({ draftKey, person }) => draftKey === this.draftKey && person === this.person,
    )
    if (successor) successor.#takeOver(this)
  }

  #takeOver(left: FormUploads): void {
    for (const job of left.#jobs.values()) {
      job.form = this
      this.#jobs.set(job.id, job)
    }
    this.#show([...this.#running, ...left.#running])
    left.#jobs.clear()
    left.#show([])
    leftForms.delete(left)
  }

  /** Returns one message for each rejected file. */
  add(files: Iterable<File>, kinds: readonly MediaKind[]): string[] {
    const refused: string[] = []
    for (const file of files) {
      const taken = prepareUpload(file, kinds)
      if ('refused' in taken) {
        refused.push(taken.refused)
        continue
      }
      const job: Job = { ...taken, id: createClientId(), name: file.name, abort: new AbortController(), form: this }
      this.#jobs.set(job.id, job)
      this.#show([...this.#running, { id: job.id, name: job.name, share: 0 }])
      void sendUpload(job, this.#keeperId, this.person)
    }
    return refused
  }

  retry(id: string): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.change(id, { share: 0, error: undefined })
    void sendUpload(job, this.#keeperId, this.person)
  }

  stop(id: string): void {
    this.#jobs.get(id)?.abort.abort()
    this.#forget(id)
  }

  /** For an entry that was discarded, or saved without its failed files. */
  stopAll(): void {
    for (const id of [...this.#jobs.keys()]) this.stop(id)
  }

  arrived(media: PickedMedia): void {
    this.onPicked(media)
    this.#forget(media.id)
  }

  change(id: string, to: Partial<Uploading>): void {
    this.#show(this.#running.map((item) => (item.id === id ? { ...item, ...to } : item)))
  }

  #forget(id: string): void {
    this.#jobs.delete(id)
    if (this.#jobs.size === 0) leftForms.delete(this)
    this.#show(this.#running.filter((item) => item.id !== id))
  }

  #show(running: readonly Uploading[]): void {
    this.#running = running
    for (const changed of this.#listeners) changed()
  }
}

async function sendUpload(job: Job, keeperId: string, person: string | null): Promise<void> {
  const { id, name, kind, mime, blob, abort } = job
  const endUpload = registerFileUpload({ name, stop: () => job.form.stop(id) })
  // The file must not end up in the queue of a person who signs in next.
  const assertActive = () => {
    abort.signal.throwIfAborted()
    if (getSignedInUserId() !== person) throw new Error('You were signed out before the upload finished.')
  }
  try {
    const size = await measureMedia(job)
    const about = { id, name, ...size }
    const waits = await sendOrQueue(keeperId, blob, about, assertActive, {
      signal: abort.signal,
      onProgress: (share) => job.form.change(id, { share }),
    })
    assertActive()
    cacheLocalFile(id, blob)
    job.form.arrived({ id, kind, mime, name, alt: null, ...size, ...(waits && { waits }) })
  } catch (reason) {
    if (abort.signal.aborted) return
    const error = reason instanceof Error ? reason.message : String(reason)
    job.form.change(id, { error })
    if (!openForms.has(job.form) && getSignedInUserId() === person)
      void showToast(`${name} wasn’t added to your entry: ${error} Open the entry again to retry.`)
  } finally {
    endUpload()
  }
}

/** Resolves to true when the upload was queued in this browser. */
async function sendOrQueue(
  keeperId: string,
  blob: Blob,
  about: MediaDimensions & { id: string; name: string },
  assertActive: () => void,
  options: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<boolean> {
  if (getReachability() === 'reached') {
    try {
      await upload(keeperMedia.upload, { params: { id: keeperId }, query: about }, blob, options)
      return false
    } catch (reason) {
      if (!(reason instanceof NetworkError)) throw reason
    }
  }
  assertActive()
  const { state } = await uploadOrQueue(keeperId, blob, about, 'Picture')
  return state === 'kept'
}
