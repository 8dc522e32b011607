import { useEffect, useState, useSyncExternalStore } from 'react'
import { type DraftOptions, DraftStore } from './draft-store.ts'

export interface Draft<T> {
  value: T
  set: (value: T) => void
  /** Discards the draft, or forgets it once the server has it. */
  clear: () => void
  /** Like `clear`, but resolves after the stored draft is deleted; await it before announcing the save. */
  release: () => Promise<void>
  restored: boolean
  /** False until this browser's store has been read. */
  ready: boolean
}

/** `key` is such as `reflection/{id}`. Without a draft the value is `initial`, even if that changes. */
export function useDraft<T>(key: string, initial: T, options?: DraftOptions): Draft<T> {
  const [currentStore, setCurrentStore] = useState(() => new DraftStore<T>(key, options))
  const draftStore = currentStore.key === key ? currentStore : new DraftStore<T>(key, options)
  if (draftStore !== currentStore) setCurrentStore(draftStore)
  const { isDrafted, value, restored, ready } = useSyncExternalStore(
    draftStore.subscribe,
    draftStore.getSnapshot,
    draftStore.getSnapshot,
  )

  useEffect(() => {
    const flush = () => void draftStore.flush()
    const flushIfHidden = () => document.visibilityState === 'hidden' && flush()
    void draftStore.open()
    addEventListener('pagehide', draftStore.saveOnUnload)
    document.addEventListener('focusout', flush)
    document.addEventListener('visibilitychange', flushIfHidden)
    return () => {
      removeEventListener('pagehide', draftStore.saveOnUnload)
      document.removeEventListener('focusout', flush)
      document.removeEventListener('visibilitychange', flushIfHidden)
      void draftStore.close()
    }
  }, [draftStore])

  return {
    value: isDrafted ? (value as T) : initial,
    set: draftStore.set,
    clear: draftStore.clear,
    release: draftStore.release,
    restored,
    ready,
  }
}
