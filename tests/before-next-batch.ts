import type { Write } from '#server/db/database.ts'
import type { TestApp } from './test-app.ts'

/** Runs `action` once, right before the next batch whose SQL contains the text. */
export function beforeNextBatch({ services: { db } }: TestApp, action: () => Promise<unknown>, sqlPart = ''): void {
  const { batch } = db
  const getSql = (write: Write) => ('compile' in write ? write.compile(db) : write).sql
  db.batch = async (writes) => {
    if (!writes.some((write) => getSql(write).includes(sqlPart))) return batch.call(db, writes)
    db.batch = batch
    await action()
    return batch.call(db, writes)
  }
}
