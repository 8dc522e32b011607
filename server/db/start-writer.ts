import { getThreadFile } from '#server/threads/thread-file.ts'
import { startThread, type Thread } from './worker-channel.ts'

let idleWriter: Thread | undefined

/** Starts the writer's thread while the server's modules load; it opens no file. */
export function prepareSqliteWriter(): void {
  idleWriter = startThread(getThreadFile('sqlite-writer', import.meta.url), null)
}

export function startSqliteWriter(file: string): Thread {
  if (!idleWriter) prepareSqliteWriter()
  const writer = idleWriter!
  idleWriter = undefined
  writer.postMessage(file)
  return writer
}

export async function discardSqliteWriter(): Promise<void> {
  const writer = idleWriter
  idleWriter = undefined
  await writer?.terminate()
}
