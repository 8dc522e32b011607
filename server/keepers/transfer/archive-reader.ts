import type { ImportPreview } from '#contract/keepers/transfer.ts'
import { Problem } from '#server/http/problem.ts'
import { JobThread } from '#server/threads/job-thread.ts'
import { getThreadFile } from '#server/threads/thread-start.ts'
import type { ArchiveJob, ArchiveReply } from './archive-thread.ts'
import type { ImportPart } from './import-plan.ts'
import { maxHeapMegabytes } from './read-json-in-zip.ts'

/** Archives one process reads at a time: each can take much memory. */
const concurrency = 2
const running = new Set<string>()
const waiting: { ownerId: string; start: () => void }[] = []

/** Runs one archive per owner at a time, so that five large ones do not block other people. */
export async function withReadSlot<T>(ownerId: string, work: () => Promise<T>): Promise<T> {
  if (canStart(ownerId)) running.add(ownerId)
  else await new Promise<void>((start) => waiting.push({ ownerId, start }))
  try {
    return await work()
  } finally {
    running.delete(ownerId)
    const next = waiting.findIndex((job) => canStart(job.ownerId))
    const [started] = next === -1 ? [] : waiting.splice(next, 1)
    if (started) running.add(started.ownerId)
    started?.start()
  }
}

function canStart(ownerId: string): boolean {
  return running.size < concurrency && !running.has(ownerId)
}

/** Reads an archive in a worker thread: hundreds of megabytes must not block the server. */
export class ArchiveReader {
  readonly preview: ImportPreview
  readonly keeperIds: string[]
  readonly total: number
  readonly #thread: JobThread<ArchiveJob, ArchiveReply>

  private constructor(
    thread: JobThread<ArchiveJob, ArchiveReply>,
    { preview, keeperIds, total }: Extract<ArchiveReply, { kind: 'opened' }>,
  ) {
    this.#thread = thread
    this.preview = preview
    this.keeperIds = keeperIds
    this.total = total
  }

  /** Opens an archive for `work`, then ends the thread. @throws Problem 422 for an unreadable archive */
  static async use<T>(job: ArchiveJob, signal: AbortSignal, work: (archive: ArchiveReader) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const thread: JobThread<ArchiveJob, ArchiveReply> = new JobThread(
      getThreadFile('archive-thread', import.meta.url),
      { maxOldGenerationSizeMb: maxHeapMegabytes },
    )
    const end = () => void thread.end()
    signal.addEventListener('abort', end, { once: true })
    try {
      const opened = await requestFromThread(thread, job)
      if (opened.kind !== 'opened') throw new Error('The archive thread sent no preview')
      return await work(new ArchiveReader(thread, opened))
    } finally {
      signal.removeEventListener('abort', end)
      await thread.end()
    }
  }

  async parts(from: number, count: number): Promise<ImportPart[]> {
    const reply = await requestFromThread(this.#thread, { kind: 'parts', from, count })
    return reply.kind === 'parts' ? reply.parts : []
  }
}

async function requestFromThread(thread: JobThread<ArchiveJob, ArchiveReply>, job: ArchiveJob): Promise<ArchiveReply> {
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
