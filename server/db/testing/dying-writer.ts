import type { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { serveWrites } from '../serve-writes.ts'
import { openWriterConnection } from '../sqlite-files.ts'

serveWrites(() => {
  const connection = openWriterConnection((workerData as { file: string }).file)
  const exec = connection.exec.bind(connection)
  const failingExec: DatabaseSync['exec'] = (sql) => {
    if (sql === 'rollback') throw new Error('injected: rollback failed')
    if (sql.includes('pragma optimize')) throw Object.assign(new Error('injected: disk full'), { errcode: 13 })
    exec(sql)
  }
  return Object.assign(connection, { exec: failingExec })
})
