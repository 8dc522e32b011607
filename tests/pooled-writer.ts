import type { DatabaseSync } from 'node:sqlite'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { serveWrites } from '#server/db/serve-writes.ts'
import { openWriterConnection } from '#server/db/sqlite-files.ts'

parentPort?.on('message', ({ file, port }: { file: string; port: MessagePort }) => {
  let connection: DatabaseSync | undefined
  port.once('close', () => {
    if (connection?.isOpen) connection.close()
    parentPort?.postMessage('idle')
  })
  serveWrites(() => {
    connection = openWriterConnection(file)
    return connection
  }, port)
})
