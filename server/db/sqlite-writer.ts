import { workerData } from 'node:worker_threads'
import { serveWrites } from './serve-writes.ts'
import { openWriterConnection } from './sqlite-files.ts'

serveWrites(() => openWriterConnection((workerData as { file: string }).file))
