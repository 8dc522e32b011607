import { parentPort } from 'node:worker_threads'
import { serveWrites } from './serve-writes.ts'
import { openWriterConnection } from './sqlite-files.ts'

parentPort?.once('message', (file: string) => serveWrites(() => openWriterConnection(file)))
