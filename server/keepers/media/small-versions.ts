import { getMediaKind } from '#contract/keepers/media.ts'
import { type MediaSize, smallLongSide, smallVersionTypes } from '#contract/keepers/small-version.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField } from '#server/http/problem.ts'
import type { Upload } from '#server/http/upload.ts'
import { limitToQuota, requireUploadSpace } from '#server/media/media-quota.ts'
import { readWholeMedia } from '#server/media/media-store.ts'
import type { Services } from '#server/services.ts'
import { JobThread } from '#server/threads/job-thread.ts'
import { getThreadFile } from '#server/threads/thread-file.ts'
import { hourMs } from '#server/values/time-units.ts'
import { MediaInspector } from './inspect-media.ts'
import { requireMediaFor } from './media-view.ts'
import type { ShrinkJob } from './shrink-thread.ts'

/** Time the browser that uploads a picture has to send its small version. */
const browserGraceMs = 60_000
/** A sweep stops after this time, because one starts every minute. */
const maxSweepMs = 40_000
const batchSize = 20
const shrinkableTypes = ['image/jpeg', 'image/png', 'image/webp']
const [threadType] = smallVersionTypes
const pictureTables = ['media', 'board_pictures'] as const
type PictureTable = (typeof pictureTables)[number]

interface MediaBytes {
  sha256: string
  mime: string
}

interface PictureRow extends MediaBytes {
  id: string
  small_sha256: string | null
  small_mime: string | null
  small_due_at: number | null
}

type DuePicture = Omit<PictureRow, 'small_sha256' | 'small_mime'>

const runningCreations = new Map<string, Promise<MediaBytes | undefined>>()

/** The bytes to send for a size. A small version that is due is created first; without one, the original is sent. */
export async function selectSize(
  services: Services,
  table: PictureTable,
  row: PictureRow,
  size: MediaSize,
): Promise<MediaBytes> {
  const { sha256, mime, small_sha256, small_mime } = row
  if (size !== 'small') return { sha256, mime }
  if (small_sha256 && small_mime) return { sha256: small_sha256, mime: small_mime }
  const key = `${table} ${row.id}`
  const isDue = row.small_due_at !== null && !pictureShrinker.isOverloaded
  if (isDue && !runningCreations.has(key))
    runningCreations.set(
      key,
      createSmallVersion(services, table, row).finally(() => runningCreations.delete(key)),
    )
  return (await runningCreations.get(key)) ?? { sha256, mime }
}

/** `null` for a type that the thread can't read. @param storedAt time when its bytes were stored (ms) */
export function getSmallDueAt(mime: string, storedAt: number, { fromBrowser = false } = {}): number | null {
  return shrinkableTypes.includes(mime) ? storedAt + (fromBrowser ? browserGraceMs : 0) : null
}

/** Creates small versions of imported and older pictures until none is due or this sweep's time is over. */
export async function createSmallVersions(services: Services, signal: AbortSignal): Promise<number> {
  const endsAt = performance.now() + maxSweepMs
  let createdCount = 0
  for (const table of pictureTables)
    for (;;) {
      const pictures = await listDuePictures(services, table)
      if (pictures.length === 0) break
      for (const picture of pictures) {
        if (signal.aborted || performance.now() > endsAt) return createdCount
        if (await createSmallVersion(services, table, picture, signal)) createdCount += 1
      }
    }
  return createdCount
}

function listDuePictures({ db, now }: Services, table: PictureTable): Promise<DuePicture[]> {
  return db
    .selectFrom(table)
    .select(['id', 'sha256', 'mime', 'small_due_at'])
    .where('small_due_at', '<=', now().getTime())
    .orderBy('small_due_at')
    .limit(batchSize)
    .execute()
}

/** Claims the picture first, so that one that crashes the process isn't tried again. */
async function createSmallVersion(
  services: Services,
  table: PictureTable,
  { id, sha256, mime, small_due_at }: DuePicture,
  signal?: AbortSignal,
): Promise<MediaBytes | undefined> {
  const { db, media, now, log } = services
  const setDue = (from: number | null, to: number | null) =>
    db
      .updateTable(table)
      .set({ small_due_at: to })
      .where('id', '=', id)
      .where('small_due_at', from === null ? 'is' : '=', from)
      .executeTakeFirst()
  const { numUpdatedRows } = await setDue(small_due_at, null)
  if (numUpdatedRows !== 1n) return undefined
  try {
    const original = await readWholeMedia(media, sha256)
    const small = await pictureShrinker.shrink({ bytes: original, mime }, signal).catch((error: unknown) => {
      if (signal?.aborted) throw error
      log.info({ err: error, pictureId: id }, 'a picture has no small version, because it cannot be read')
      return undefined
    })
    if (!small || small.length >= original.length) return undefined
    const stored = await media.write([small], now())
    await db
      .updateTable(table)
      .set({ small_sha256: stored.sha256, small_mime: threadType, small_bytes: stored.bytes })
      .where('id', '=', id)
      .where('small_sha256', 'is', null)
      .execute()
    return { sha256: stored.sha256, mime: threadType }
  } catch (error) {
    const isStopping = signal?.aborted ?? false
    if (!isStopping) log.warn({ err: error, pictureId: id }, 'a small version could not be stored')
    await setDue(null, now().getTime() + (isStopping ? 0 : hourMs))
    return undefined
  }
}

interface SmallVersionColumns {
  small_sha256: string
  small_mime: string
  small_bytes: number
  small_due_at: null
}

/** @throws Problem 404; 400 for anything but a small picture; 413 and 429 as for uploads */
export async function setSmallVersion(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  upload: Upload,
): Promise<void> {
  const { mime } = await requireMediaFor(services, person, id)
  if (getMediaKind(mime) !== 'image') throw badField('body', 'Only a picture has a small version.')
  await services.db
    .updateTable('media')
    .set(await storeSmallVersion(services, person.id, upload))
    .where('id', '=', id)
    .where('person_id', '=', person.id)
    .execute()
}

export async function storeSmallVersion(
  services: Services,
  personId: string,
  upload: Upload,
): Promise<SmallVersionColumns> {
  const quota = await requireUploadSpace(services, personId, upload.declaredBytes ?? 0)
  const choices = `a WebP or JPEG picture of at most ${smallLongSide} px`
  const inspector = new MediaInspector({ declaredType: upload.mime, accepts: smallVersionTypes, choices })
  const chunks = limitToQuota(services, personId, quota, inspector.inspect(upload.stream))
  const { sha256, bytes } = await services.media.write(chunks, services.now())
  const { width, height } = inspector.dimensions ?? { width: 0, height: 0 }
  if (width === 0 || Math.max(width, height) > smallLongSide) throw badField('body', `Choose ${choices}.`)
  return { small_sha256: sha256, small_mime: inspector.mime, small_bytes: bytes, small_due_at: null }
}

const pictureTimeoutMs = 30_000
const idleTimeoutMs = 20_000
const maxWaiting = 32

/** Shrinks one picture at a time, because each can take much memory. A failed job ends the thread. */
class PictureShrinker {
  #thread: JobThread<ShrinkJob, Uint8Array | undefined> | undefined
  #lastJob: Promise<unknown> = Promise.resolve()
  #waitingCount = 0

  get isOverloaded(): boolean {
    return this.#waitingCount >= maxWaiting
  }

  /** @throws for a picture that can't be read, takes too long or is stopped by the signal */
  async shrink(job: ShrinkJob, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    this.#waitingCount += 1
    const running = this.#lastJob.then(() => this.#run(job, signal))
    this.#lastJob = running.catch(() => undefined)
    try {
      return await running
    } finally {
      this.#waitingCount -= 1
      if (this.#waitingCount === 0) this.#thread?.endWhenIdle(idleTimeoutMs)
    }
  }

  async #run(job: ShrinkJob, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    signal?.throwIfAborted()
    if (!this.#thread || this.#thread.hasEnded)
      this.#thread = new JobThread(getThreadFile('shrink-thread', import.meta.url))
    const end = () => void this.#end()
    const timer = setTimeout(end, pictureTimeoutMs)
    signal?.addEventListener('abort', end, { once: true })
    try {
      return await this.#thread.run(job)
    } catch (error) {
      await this.#end()
      throw error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
    }
  }

  async #end(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.end()
  }
}

const pictureShrinker = new PictureShrinker()
