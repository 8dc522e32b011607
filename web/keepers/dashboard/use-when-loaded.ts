import { useEffectEvent, useLayoutEffect } from 'react'

/** For parts of the page that wait for one above them. Also called after a failure. */
export function useWhenLoaded(isPending: boolean, onLoaded: (() => void) | undefined): void {
  const notifyLoaded = useEffectEvent(() => onLoaded?.())
  useLayoutEffect(() => {
    if (!isPending) notifyLoaded()
  }, [isPending])
}
