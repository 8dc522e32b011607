import type { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { serveWrites } from '../serve-writes.ts'
import { openWriterConnection } from '../sqlite-files.ts'

/** Negative control of the crash test: replies before it commits. */
serveWrites(() => {
  const connection = openWriterConnection((workerData as { file: string }).file)
  let isOpen = false
  const exec = connection.exec.bind(connection)
  const delayedExec: DatabaseSync['exec'] = (sql) => {
    if (sql === 'begin immediate') {
      if (!isOpen) exec(sql)
      isOpen = true
    } else if (sql === 'commit') {
      setTimeout(() => {
        if (isOpen) exec('commit')
        isOpen = false
      }, 5)
    } else exec(sql)
  }
  return Object.assign(connection, { exec: delayedExec })
})
