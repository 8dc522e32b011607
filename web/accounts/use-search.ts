import { useSyncExternalStore } from 'react'

/** The query string; empty while hydrating, because the page is prerendered without one. */
export function useSearch(): URLSearchParams {
  const search = useSyncExternalStore(
    listen,
    () => location.search,
    () => '',
  )
  return new URLSearchParams(search)
}

function listen(changed: () => void): () => void {
  addEventListener('popstate', changed)
  return () => removeEventListener('popstate', changed)
}
