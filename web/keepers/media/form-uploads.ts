import { keeperMedia, type Media, type MediaKind } from '#contract/keepers/media.ts'
import { Unreachable } from '#web/api.ts'
import { lastReach } from '#web/api-journal.ts'
import { upload } from '#web/api-upload.ts'
import { noteUnderWay } from '#web/offline/files-under-way.ts'
import { newClientId } from '#web/offline/new-client-id.ts'
import { keepUpload } from '#web/offline/send-or-keep.ts'
import { whoseBrowser } from '#web/offline/whose-browser.ts'
import { showToast } from '#web/ui/show-toast.tsx'
import { type Measured, measure, type TakenFile, takeFile } from './media-file.ts'
import { showAtOnce } from './use-media-url.ts'

/** A file added to an unsaved entry. */
export interface PickedMedia extends Pick<Media, 'id' | 'kind' | 'mime'>, Measured {
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

interface Job extends TakenFile {
  id: string
  name: string
  abort: AbortController
  /** The form that receives the file: the one that started it, or its successor. */
  form: FormUploads
}

const openForms = new Set<FormUploads>()
const leftForms = new Set<FormUploads>()

/**
 * The uploads of one unsaved entry. They continue when its form unmounts: files end up in the draft it left, or in a
 * form opened later with the same draft key.
 */
export class FormUploads {
  readonly place: string
  readonly #keeperId: string
  readonly person = whoseBrowser()
  readonly #jobs = new Map<string, Job>()
  readonly #listeners = new Set<() => void>()
  #running: readonly Uploading[] = []
  /** Called after the form has unmounted, too. */
  onPicked: (media: PickedMedia) => void = () => undefined

  constructor(keeperId: string, place: string) {
    this.#keeperId = keeperId
    this.place = place
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
      else if (left.place === this.place) this.#takeOver(left)
    }
  }

  leave(): void {
    openForms.delete(this)
    if (this.#jobs.size === 0) return
    leftForms.add(this)
    const heir = [...openForms].find(({ place, person }) => place === this.place && person === this.person)
    if (heir) heir.#takeOver(this)
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
      const taken = takeFile(file, kinds)
      if ('refused' in taken) {
        refused.push(taken.refused)
        continue
      }
      const job: Job = { ...taken, id: newClientId(), name: file.name, abort: new AbortController(), form: this }
      this.#jobs.set(job.id, job)
      this.#show([...this.#running, { id: job.id, name: job.name, share: 0 }])
      void send(job, this.#keeperId, this.person)
    }
    return refused
  }

  retry(id: string): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.change(id, { share: 0, error: undefined })
    void send(job, this.#keeperId, this.person)
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
    this.#show(this.#running.map((each) => (each.id === id ? { ...each, ...to } : each)))
  }

  #forget(id: string): void {
    this.#jobs.delete(id)
    if (this.#jobs.size === 0) leftForms.delete(this)
    this.#show(this.#running.filter((each) => each.id !== id))
  }

  #show(running: readonly Uploading[]): void {
    this.#running = running
    for (const changed of this.#listeners) changed()
  }
}

async function send(job: Job, keeperId: string, person: string | null): Promise<void> {
  const { id, name, kind, mime, blob, abort } = job
  const isUnderWay = noteUnderWay({ name, stop: () => job.form.stop(id) })
  // The file must not end up in the queue of a person who signs in next.
  const goesOn = () => {
    abort.signal.throwIfAborted()
    if (whoseBrowser() !== person) throw new Error('You were signed out before the upload finished.')
  }
  try {
    const size = await measure(job)
    const about = { id, name, ...size }
    const waits = await sendOrWait(keeperId, blob, about, goesOn, {
      signal: abort.signal,
      onProgress: (share) => job.form.change(id, { share }),
    })
    goesOn()
    showAtOnce(id, blob)
    job.form.arrived({ id, kind, mime, name, alt: null, ...size, ...(waits && { waits }) })
  } catch (reason) {
    if (abort.signal.aborted) return
    const error = reason instanceof Error ? reason.message : String(reason)
    job.form.change(id, { error })
    if (!openForms.has(job.form) && whoseBrowser() === person)
      void showToast(`${name} wasn’t added to your entry: ${error} Open it again to retry.`)
  } finally {
    isUnderWay()
  }
}

/** Resolves to true when the upload was queued in this browser. */
async function sendOrWait(
  keeperId: string,
  blob: Blob,
  about: Measured & { id: string; name: string },
  goesOn: () => void,
  options: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<boolean> {
  if (lastReach() === 'reached') {
    try {
      await upload(keeperMedia.upload, { params: { id: keeperId }, query: about }, blob, options)
      return false
    } catch (reason) {
      if (!(reason instanceof Unreachable)) throw reason
    }
  }
  goesOn()
  const { state } = await keepUpload(keeperId, blob, about, 'Picture')
  return state === 'kept'
}
