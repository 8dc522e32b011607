import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '#server/db/database.ts'
import { DatabaseBusy, DatabaseUnavailable } from '#server/db/database-errors.ts'

/**
 * `collision` rolls back one of two writers and asks for a retry. `lost` runs the call, but its result never arrives.
 * All but `for good` are transient.
 */
export type DatabaseFault = 'once' | 'for good' | 'collision' | 'lost'

export interface FailingDatabase {
  calls: number
  hasFailed: boolean
  /** Counts calls from 0 without failing any. */
  count(): void
  /** Counts calls from 0 and fails number `callNumber` (from 1); with `for good` every later one too. */
  arm(callNumber: number, fault: DatabaseFault): void
  disarm(): void
  /** Resolves when no database call is in flight and none follows. */
  idle(): Promise<void>
}

type DriverMethod = (...values: unknown[]) => Promise<unknown>

/**
 * Makes database calls fail by number, between Keeper and the engine: reads, writes, batches and each transaction
 * step. A failing call is not executed, except with `lost`.
 */
export function injectDatabaseFaults(db: Database): FailingDatabase {
  const outerCall = new AsyncLocalStorage<true>()
  let failAt = Number.POSITIVE_INFINITY
  let fault: DatabaseFault = 'once'
  let inFlight = 0
  const failing: FailingDatabase = {
    calls: 0,
    hasFailed: false,
    count() {
      failing.arm(Number.POSITIVE_INFINITY, 'once')
    },
    arm(callNumber, nextFault) {
      Object.assign(failing, { calls: 0, hasFailed: false })
      failAt = callNumber
      fault = nextFault
    },
    disarm() {
      failAt = Number.POSITIVE_INFINITY
    },
    async idle() {
      for (let idleTicks = 0; idleTicks < 3; ) {
        const { calls } = failing
        await delay(1)
        idleTicks = inFlight === 0 && calls === failing.calls ? idleTicks + 1 : 0
      }
    },
  }
  const countCalls = (method: DriverMethod): DriverMethod => {
    return (...values) => {
      if (outerCall.getStore()) return method(...values)
      const number = ++failing.calls
      const shouldFail = fault === 'for good' ? number >= failAt : number === failAt
      const execute = () => {
        inFlight++
        return outerCall.run(true, () => method(...values)).finally(() => inFlight--)
      }
      if (!shouldFail) return execute()
      failing.hasFailed = true
      const error = createDatabaseFault(fault, number)
      return fault === 'lost' ? execute().then(() => Promise.reject(error)) : Promise.reject(error)
    }
  }
  const driver = db.engineDriver as unknown as Record<string, DriverMethod>
  for (const name of ['read', 'longRead', 'write', 'batch', 'beginTransaction', 'commitTransaction'])
    driver[name] = countCalls(driver[name]!.bind(driver))
  const acquire = driver.acquireConnection!.bind(driver)
  driver.acquireConnection = async () => {
    const connection = (await acquire()) as Record<string, DriverMethod>
    connection.executeQuery = countCalls(connection.executeQuery!.bind(connection))
    return connection
  }
  return failing
}

function createDatabaseFault(fault: DatabaseFault, number: number): Error {
  return fault === 'collision'
    ? new DatabaseBusy(`Call ${number} collided, on purpose`, { isConflict: true })
    : new DatabaseUnavailable(`Call ${number} of the database fails, on purpose`)
}
