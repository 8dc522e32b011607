import { type MessagePort, parentPort } from 'node:worker_threads'
import { serveReads } from '#server/db/serve-reads.ts'

parentPort?.on('message', ({ file, port }: { file: string; port: MessagePort }) => {
  const connection = serveReads(file, port)
  port.once('close', () => {
    connection?.close()
    parentPort?.postMessage('idle')
  })
})
