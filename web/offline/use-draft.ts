import { useEffect, useState, useSyncExternalStore } from 'react'
import { DraftKeeper, type DraftOptions } from './draft-keeper.ts'

export interface Draft<T> {
  value: T
  set: (value: T) => void
  /** Discards the draft, or forgets it once the server has it. */
  clear: () => void
  /** Like `clear`, but resolves after the stored draft is deleted; await it before announcing the save. */
  letGo: () => Promise<void>
  /** Found in this browser when the page opened. */
  restored: boolean
  /** False until this browser's store has been read. */
  ready: boolean
}

/**
 * A draft stored in this browser at each change until the server has it, for the signed-in user. `key` is such as
 * `reflection/{id}`. Without a draft the value is `initial`, even if that changes.
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
