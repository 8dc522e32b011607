import type { ImportPreview } from '#contract/keepers/transfer.ts'
import { Problem } from '#server/http/problem.ts'
import { AskedThread } from '#server/threads/asked-thread.ts'
import { threadFile } from '#server/threads/thread-start.ts'
import type { ArchiveJob, ArchiveReply } from './archive-thread.ts'
import type { ImportPart } from './import-plan.ts'
import { mostMegabytes } from './json-in-zip.ts'

/** Archives that one process reads at the same time: each can take much memory. */
const concurrency = 2
/** Owners of the archives that are read. */
const running = new Set<string>()
const waiting: { ownerId: string; start: () => void }[] = []

/** Reads an archive when its turn comes. Of one owner one at a time: five large ones hold up nobody else's. */
export async function inTurn<T>(ownerId: string, work: () => Promise<T>): Promise<T> {
  if (canStart(ownerId)) running.add(ownerId)
  else await new Promise<void>((start) => waiting.push({ ownerId, start }))
  try {
    return await work()
  } finally {
    running.delete(ownerId)
    const next = waiting.findIndex((each) => canStart(each.ownerId))
    const [started] = next === -1 ? [] : waiting.splice(next, 1)
    if (started) running.add(started.ownerId)
    started?.start()
  }
}

function canStart(ownerId: string): boolean {
  return running.size < concurrency && !running.has(ownerId)
}

/** An archive that was looked at by a thread of its own: reading hundreds of megabytes must hold up nobody else. */
export class ArchiveReader {
  readonly preview: ImportPreview
  readonly keeperIds: string[]
  readonly total: number
  readonly #thread: AskedThread<ArchiveJob, ArchiveReply>

  private constructor(
    thread: AskedThread<ArchiveJob, ArchiveReply>,
    { preview, keeperIds, total }: Extract<ArchiveReply, { kind: 'looked' }>,
  ) {
    this.#thread = thread
    this.preview = preview
    this.keeperIds = keeperIds
    this.total = total
  }

  /**
   * Looks at an archive and has `work` do something with it; then the thread ends, sooner when it is broken off.
   * @throws Problem 422 that says what is wrong with it
   */
  static async use<T>(job: ArchiveJob, signal: AbortSignal, work: (archive: ArchiveReader) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const thread: AskedThread<ArchiveJob, ArchiveReply> = new AskedThread(
      threadFile('archive-thread', import.meta.url),
      { maxOldGenerationSizeMb: mostMegabytes },
    )
    const end = () => void thread.end()
    signal.addEventListener('abort', end, { once: true })
    try {
      const looked = await asked(thread, job)
      if (looked.kind !== 'looked') throw new Error('It was looked at, and nothing was said of it')
      return await work(new ArchiveReader(thread, looked))
    } finally {
      signal.removeEventListener('abort', end)
      await thread.end()
    }
  }

  /** Some of the parts from one of them on, at most so many. */
  async parts(from: number, count: number): Promise<ImportPart[]> {
    const reply = await asked(this.#thread, { kind: 'parts', from, count })
    return reply.kind === 'parts' ? reply.parts : []
  }
}

async function asked(thread: AskedThread<ArchiveJob, ArchiveReply>, job: ArchiveJob): Promise<ArchiveReply> {
  let reply: ArchiveReply
  try {
    reply = await thread.ask(job)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
    const message =
      'This archive holds more than can be read at once here. Take out fewer keepers or journals at a time.'
    throw new Problem('unprocessable', { message, cause: error })
  }
  if (reply.kind === 'refused') throw new Problem('unprocessable', { message: reply.message })
  return reply
}
