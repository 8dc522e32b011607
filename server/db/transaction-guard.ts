import { AsyncLocalStorage } from 'node:async_hooks'

// Work started inside a transaction may outlive it (a timer, an unawaited call); `open` lets it use the database again afterwards.
const openTransaction = new AsyncLocalStorage<{ open: boolean }>()

/** Runs `work` so that every use of the database beside its transaction is refused until it ends. */
export async function guardTransaction<T>(work: () => Promise<T>): Promise<T> {
  const state = { open: true }
  try {
    return await openTransaction.run(state, work)
  } finally {
    state.open = false
  }
}

/** Without this the call would wait for the transaction, which waits for the call. */
export function refuseInsideTransaction(): void {
  if (openTransaction.getStore()?.open)
    throw new Error(
      'Inside inTransaction() use its tx, not the database: the database would wait for this very transaction',
    )
}
