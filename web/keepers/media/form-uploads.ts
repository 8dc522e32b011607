import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { keeperMedia, type Media, type MediaKind } from '#contract/keepers/media.ts'
import { ApiError, NetworkError } from '#web/api/api.ts'
import { getReachability } from '#web/api/api-journal.ts'
import { upload } from '#web/api/api-upload.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { uploadOrQueue } from '#web/offline/send-or-queue.ts'
import { getSignedInUserId } from '#web/offline/signed-in-user.ts'
import { registerFileUpload } from '#web/offline/unsent-work.ts'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { withNames } from '#web/ui/text/with-names.tsx'
import { checkFileSize, identifyFile, type MediaDimensions, measureMedia } from './media-file.ts'
import { type PhotoOrigin, readPhotoOrigin } from './photo-origin.ts'
import { heicType, toShowablePicture } from './showable-picture.ts'
import { sendSmallVersion } from './small-picture.ts'
import { cacheLocalFile } from './use-media-url.ts'

export interface PickedMedia extends Pick<Media, 'id' | 'kind' | 'mime'>, MediaDimensions {
  name: string | null
  alt: string | null
  /** When and where it was taken; stays in this browser unless the person uses it. */
  origin?: PhotoOrigin | undefined
  /** Queued in this browser until the server can be reached. Stored drafts contain this field name. */
  waits?: boolean
}

export interface RunningUpload {
  id: string
  name: string
  /** Progress from 0 to 1. */
  progress: number
  error?: string | undefined
}

interface UploadJob {
  id: string
  name: string
  file: File
  kinds: readonly MediaKind[]
  abortController: AbortController
  /** The form that receives the file: the one that started it, or its successor. */
  form: FormUploads
}

const openForms = new Set<FormUploads>()
const closedForms = new Set<FormUploads>()

/** Uploads outlive their form: files end up in the draft it left, or in a later form with the same draft key. */
export class FormUploads {
  readonly draftKey: string
  readonly #keeperId: string
  readonly userId = getSignedInUserId()
  readonly #jobs = new Map<string, UploadJob>()
  readonly #listeners = new Set<() => void>()
  #running: readonly RunningUpload[] = []
  #rejections: readonly string[] = []
  /** Also called after the form has unmounted. */
  onPicked: (media: PickedMedia) => void = () => undefined

  constructor(keeperId: string, draftKey: string) {
    this.#keeperId = keeperId
    this.draftKey = draftKey
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly getRunning = (): readonly RunningUpload[] => this.#running
  /** One message for each rejected file. */
  readonly getRejections = (): readonly string[] => this.#rejections

  /** Marks the form as open and takes over uploads left under its draft key. */
  enter(): void {
    openForms.add(this)
    closedForms.delete(this)
    for (const closedForm of [...closedForms]) {
      if (closedForm.userId !== this.userId) closedForm.stopAll()
      else if (closedForm.draftKey === this.draftKey) this.#takeOver(closedForm)
    }
  }

  leave(): void {
    openForms.delete(this)
    if (this.#jobs.size === 0) return
    closedForms.add(this)
    const successor = [...openForms].find(
      ({ draftKey, userId }) => draftKey === this.draftKey && userId === this.userId,
    )
    if (successor) successor.#takeOver(this)
  }

  #takeOver(closedForm: FormUploads): void {
    for (const job of closedForm.#jobs.values()) {
      job.form = this
      this.#jobs.set(job.id, job)
    }
    this.#setRunning([...this.#running, ...closedForm.#running])
    closedForm.#jobs.clear()
    closedForm.#setRunning([])
    closedForms.delete(closedForm)
  }

  add(files: Iterable<File>, kinds: readonly MediaKind[]): void {
    this.#setRejections([])
    for (const file of files) {
      const rejection = checkFileSize(file)
      if (rejection) {
        this.#setRejections([...this.#rejections, rejection])
        continue
      }
      const job: UploadJob = {
        id: createClientId(),
        name: file.name,
        file,
        kinds,
        abortController: new AbortController(),
        form: this,
      }
      this.#jobs.set(job.id, job)
      this.#setRunning([...this.#running, { id: job.id, name: job.name, progress: 0 }])
      void sendUpload(job, this.#keeperId, this.userId)
    }
  }

  reject(id: string, message: string): void {
    this.#setRejections([...this.#rejections, message])
    this.#forget(id)
  }

  readonly dismissRejections = (): void => this.#setRejections([])

  retry(id: string): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.updateUpload(id, { progress: 0, error: undefined })
    void sendUpload(job, this.#keeperId, this.userId)
  }

  stop(id: string): void {
    this.#jobs.get(id)?.abortController.abort()
    this.#forget(id)
  }

  /** For an entry that was discarded, or saved without its failed files. */
  stopAll(): void {
    for (const id of [...this.#jobs.keys()]) this.stop(id)
  }

  handleUploaded(media: PickedMedia): void {
    this.onPicked(media)
    this.#forget(media.id)
  }

  updateUpload(id: string, changes: Partial<RunningUpload>): void {
    this.#setRunning(this.#running.map((item) => (item.id === id ? { ...item, ...changes } : item)))
  }

  #forget(id: string): void {
    this.#jobs.delete(id)
    if (this.#jobs.size === 0) closedForms.delete(this)
    this.#setRunning(this.#running.filter((item) => item.id !== id))
  }

  #setRunning(running: readonly RunningUpload[]): void {
    this.#running = running
    for (const listener of this.#listeners) listener()
  }

  #setRejections(rejections: readonly string[]): void {
    this.#rejections = rejections
    for (const listener of this.#listeners) listener()
  }
}

async function sendUpload(job: UploadJob, keeperId: string, userId: string | null): Promise<void> {
  const { id, name, file, kinds, abortController } = job
  const endUpload = registerFileUpload({ name, stop: () => job.form.stop(id) })
  // The file must not end up in the queue of a person who signs in next.
  const assertActive = () => {
    abortController.signal.throwIfAborted()
    if (getSignedInUserId() !== userId) throw new Error('You were signed out before the upload finished.')
  }
  try {
    const identifiedFile = await identifyFile(file, kinds)
    if ('rejection' in identifiedFile) return job.form.reject(id, identifiedFile.rejection)
    const { blob } = identifiedFile
    const pendingOrigin = identifiedFile.kind === 'image' ? readPhotoOrigin(blob) : undefined
    const dimensions = await measureMedia(identifiedFile)
    const metadata = { id, name, ...dimensions }
    const storedMedia = await sendOrQueueUpload(keeperId, blob, metadata, assertActive, {
      signal: abortController.signal,
      onProgress: (progress) => job.form.updateUpload(id, { progress }),
    })
    const origin = await pendingOrigin
    assertActive()
    cacheLocalFile(id, blob)
    if (blob.type === heicType) cacheLocalFile(id, await toShowablePicture(blob).catch(() => blob), { isDecoded: true })
    const { kind = identifiedFile.kind, mime = identifiedFile.mime } = storedMedia ?? {}
    job.form.handleUploaded({
      id,
      kind,
      mime,
      name,
      alt: null,
      ...dimensions,
      ...(origin && { origin }),
      ...(!storedMedia && { waits: true }),
    })
    if (storedMedia && kind === 'image') void sendSmallVersion(id, blob)
  } catch (reason) {
    if (abortController.signal.aborted) return
    const error = getErrorMessage(reason)
    // A proxy with a size limit refuses every attempt.
    const isTooLargeForProxy = reason instanceof ApiError && reason.isForeign && reason.status === 413
    if (isTooLargeForProxy) job.form.reject(id, `${name} wasn’t added. ${error}`)
    else job.form.updateUpload(id, { error })
    if (!openForms.has(job.form) && getSignedInUserId() === userId)
      void showToast(withNames`${name} wasn’t added to your entry: ${error} Open the entry again to retry.`)
  } finally {
    endUpload()
  }
}

/** Resolves to undefined when the upload was queued in this browser. */
async function sendOrQueueUpload(
  keeperId: string,
  blob: Blob,
  metadata: MediaDimensions & { id: string; name: string },
  assertActive: () => void,
  options: { signal: AbortSignal; onProgress: (progress: number) => void },
): Promise<Media | undefined> {
  if (getReachability() === 'reached') {
    try {
      return await upload(keeperMedia.upload, { params: { id: keeperId }, query: metadata }, blob, options)
    } catch (reason) {
      if (!(reason instanceof NetworkError)) throw reason
    }
  }
  assertActive()
  const sendResult = await uploadOrQueue(keeperId, blob, metadata, 'Picture')
  return sendResult.state === 'sent' ? sendResult.answer : undefined
}

interface UploadsOptions {
  keeperId: string
  /** The draft key of the entry; a form reopened under it finds its running uploads. */
  draftKey: string
  kinds: readonly MediaKind[]
  /** False while the draft loads. */
  ready: boolean
  /** Must add the file to the draft; also called after unmounting. */
  onPicked: (media: PickedMedia) => void
}

export function useUploads({ keeperId, draftKey, kinds, ready, onPicked }: UploadsOptions) {
  const uploads = useMemo(() => new FormUploads(keeperId, draftKey), [keeperId, draftKey])
  uploads.onPicked = onPicked
  const running = useSyncExternalStore(uploads.subscribe, uploads.getRunning)
  const rejections = useSyncExternalStore(uploads.subscribe, uploads.getRejections)
  useEffect(() => {
    if (!ready) return
    uploads.enter()
    return () => uploads.leave()
  }, [uploads, ready])

  return {
    running,
    rejections,
    busy: running.some(({ error }) => error === undefined),
    add: (files: Iterable<File>) => uploads.add(files, kinds),
    stop: (id: string) => uploads.stop(id),
    stopAll: () => uploads.stopAll(),
    retry: (id: string) => uploads.retry(id),
    dismissRejections: uploads.dismissRejections,
  }
}
