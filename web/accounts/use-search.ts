import { useSyncExternalStore } from 'react'

/** The query string; empty while hydrating, because the page is prerendered without one. */
export function useSearch(): URLSearchParams {
  const search = useSyncExternalStore(
    subscribeToHistory,
    () => location.search,
    () => '',
  )
  return new URLSearchParams(search)
}

function subscribeToHistory(onChange: () => void): () => void {
  addEventListener('popstate', onChange)
  return () => removeEventListener('popstate', onChange)
}
