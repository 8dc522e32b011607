import { useSyncExternalStore } from 'react'

/** The query of the address. Empty while hydrating, because the page was written without knowing it. */
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
