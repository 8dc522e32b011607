import { useEffect, useState, useSyncExternalStore } from 'react'
import { DraftKeeper, type DraftOptions } from './draft-keeper.ts'

export interface Draft<T> {
  value: T
  set: (value: T) => void
  /** The person threw it away, or the server has it. */
  clear: () => void
  /** The server has it: wait for this before anybody is told, or the page that is left then finds it again. */
  letGo: () => Promise<void>
  /** It was found in this browser when the page opened. */
  restored: boolean
  /** False for the instant in which this browser is asked. */
  ready: boolean
}

/**
 * What somebody is writing, kept in this browser at every change until the server has it. `key` names it, such as
 * `reflection/new/{keeperId}` or `reflection/{id}`; drafts belong to who is signed in. While nothing is drafted the
 * value is `initial`, also when that changes.
 */
export function useDraft<T>(key: string, initial: T, options?: DraftOptions): Draft<T> {
  const [known, setKnown] = useState(() => new DraftKeeper<T>(key, options))
  const keeper = known.key === key ? known : new DraftKeeper<T>(key, options)
  if (keeper !== known) setKnown(keeper)
  const { held, value, restored, ready } = useSyncExternalStore(keeper.listen, keeper.seen, keeper.seen)

  useEffect(() => {
    const flush = () => void keeper.flush()
    const look = () => document.visibilityState === 'hidden' && flush()
    void keeper.open()
    addEventListener('pagehide', keeper.leave)
    // Whoever goes on to the next box or to a button has ended a thought: it need not wait for the quarter of a second.
    document.addEventListener('focusout', flush)
    document.addEventListener('visibilitychange', look)
    return () => {
      removeEventListener('pagehide', keeper.leave)
      document.removeEventListener('focusout', flush)
      document.removeEventListener('visibilitychange', look)
      void keeper.close()
    }
  }, [keeper])

  return {
    value: held ? (value as T) : initial,
    set: keeper.set,
    clear: keeper.clear,
    letGo: keeper.letGo,
    restored,
    ready,
  }
}
