import type { EngineDriver } from '#server/db/engine-driver.ts'

type Operation = 'read' | 'write' | 'batch' | 'long_read' | 'query'

/** Times every operation of the engine. Replaces its methods, so that nothing is measured unless this is called. */
export function observeDatabase(driver: EngineDriver, record: (operation: Operation, seconds: number) => void): void {
  const time = <Args extends unknown[], Result>(operation: Operation, run: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      const startedAt = performance.now()
      try {
        return await run(...args)
      } finally {
        record(operation, (performance.now() - startedAt) / 1000)
      }
    }
  }
  const { read, write, batch, longRead, acquireConnection } = driver
  Object.assign(driver, {
    read: time('read', read.bind(driver)),
    write: time('write', write.bind(driver)),
    batch: time('batch', batch.bind(driver)),
  })
  if (driver.engine === 'sqlite') {
    // Queries through Kysely call `read` and `write` there.
    Object.assign(driver, { longRead: time('long_read', longRead.bind(driver)) })
    return
  }
  driver.acquireConnection = async (...args) => {
    const connection = await acquireConnection.apply(driver, args)
    connection.executeQuery = time('query', connection.executeQuery.bind(connection)) as typeof connection.executeQuery
    return connection
  }
}
