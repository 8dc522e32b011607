import { useEffectEvent, useLayoutEffect } from 'react'

/** Calls `onLoaded` once a query has succeeded or failed, for parts of the page that wait for it. */
export function useWhenLoaded(isPending: boolean, onLoaded: (() => void) | undefined): void {
  const notifyLoaded = useEffectEvent(() => onLoaded?.())
  useLayoutEffect(() => {
    if (!isPending) notifyLoaded()
  }, [isPending])
}
