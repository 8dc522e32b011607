import type { ImportPreview } from '#contract/keepers/transfer.ts'
import { Problem } from '#server/http/problem.ts'
import { JobThread } from '#server/threads/job-thread.ts'
import { getThreadFile } from '#server/threads/thread-file.ts'
import type { ArchiveJob, ArchiveReply } from './archive-thread.ts'
import type { ImportPart } from './import-plan.ts'
import { maxHeapMegabytes } from './read-json.ts'

/** Archives that a process reads concurrently; each can take a lot of memory. */
const maxConcurrentReads = 2
const activeOwnerIds = new Set<string>()
const waitingJobs: { ownerId: string; start: () => void }[] = []

/** Reads one archive per owner at a time, so that one person's large archives don't block other people. */
export async function withReadSlot<T>(ownerId: string, work: () => Promise<T>): Promise<T> {
  if (canStart(ownerId)) activeOwnerIds.add(ownerId)
  else await new Promise<void>((start) => waitingJobs.push({ ownerId, start }))
  try {
    return await work()
  } finally {
    activeOwnerIds.delete(ownerId)
    const nextJob = waitingJobs.find((job) => canStart(job.ownerId))
    if (nextJob) {
      waitingJobs.splice(waitingJobs.indexOf(nextJob), 1)
      activeOwnerIds.add(nextJob.ownerId)
      nextJob.start()
    }
  }
}

function canStart(ownerId: string): boolean {
  return activeOwnerIds.size < maxConcurrentReads && !activeOwnerIds.has(ownerId)
}

type ArchiveThread = JobThread<ArchiveJob, ArchiveReply>

const idleMs = 10_000
/** Kept for the import that follows a preview, because starting a thread takes half a second of CPU time. */
let idleThread: ArchiveThread | undefined

function takeThread(): ArchiveThread {
  const thread = idleThread
  idleThread = undefined
  if (thread && !thread.hasEnded) return thread
  return new JobThread(getThreadFile('archive-thread', import.meta.url), { maxOldGenerationSizeMb: maxHeapMegabytes })
}

async function returnThread(thread: ArchiveThread): Promise<void> {
  try {
    await thread.run({ kind: 'close' })
  } catch {
    // Whether the archive was read or not, only the thread is lost.
    return thread.end()
  }
  if (idleThread && !idleThread.hasEnded) return thread.end()
  idleThread = thread
  thread.endWhenIdle(idleMs)
}

/** Reads an archive in a worker thread: hundreds of megabytes must not block the server. */
export class ArchiveReader {
  readonly preview: ImportPreview
  readonly keeperIds: string[]
  readonly total: number
  readonly #thread: ArchiveThread

  private constructor(thread: ArchiveThread, { preview, keeperIds, total }: Extract<ArchiveReply, { kind: 'opened' }>) {
    this.#thread = thread
    this.preview = preview
    this.keeperIds = keeperIds
    this.total = total
  }

  /** Opens an archive for `work` and closes it afterwards. @throws Problem 422 for an unreadable archive */
  static async withReader<T>(
    job: ArchiveJob,
    signal: AbortSignal,
    work: (archive: ArchiveReader) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted()
    const thread = takeThread()
    const endThread = () => void thread.end()
    signal.addEventListener('abort', endThread, { once: true })
    try {
      const openReply = await requestFromThread(thread, job)
      if (openReply.kind !== 'opened') throw new Error('The archive thread sent no preview')
      return await work(new ArchiveReader(thread, openReply))
    } finally {
      signal.removeEventListener('abort', endThread)
      await returnThread(thread)
    }
  }

  async readParts(from: number, count: number): Promise<ImportPart[]> {
    const reply = await requestFromThread(this.#thread, { kind: 'parts', from, count })
    return reply.kind === 'parts' ? reply.parts : []
  }
}

async function requestFromThread(thread: ArchiveThread, job: ArchiveJob): Promise<ArchiveReply> {
  let reply: ArchiveReply
  try {
    reply = await thread.run(job)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
    const message = 'This archive is too large to read in one go. Export fewer keepers or journals at a time.'
    throw new Problem('unprocessable', { message, cause: error })
  }
  if (reply.kind === 'refused') throw new Problem('unprocessable', { message: reply.message })
  return reply
}
