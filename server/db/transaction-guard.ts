import { AsyncLocalStorage } from 'node:async_hooks'

// Work started in a transaction can outlive it (a timer, an unawaited call); `open` then allows the database again.
const openTransaction = new AsyncLocalStorage<{ open: boolean }>()

export async function guardTransaction<T>(work: () => Promise<T>): Promise<T> {
  const state = { open: true }
  try {
    return await openTransaction.run(state, work)
  } finally {
    state.open = false
  }
}

// The call would wait for the transaction, which waits for the call.
export function assertOutsideTransaction(): void {
  if (openTransaction.getStore()?.open)
    throw new Error('Inside inTransaction(), use its tx instead of the database, which would wait for this transaction')
}
