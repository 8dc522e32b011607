import { useCallback, useState } from 'react'

/** The least recently used frame is dropped first. */
const maxPinned = 16

/** Keeps recently used frames mounted off screen, so that typed text and running responses survive. */
export function usePinnedFrames() {
  const [pinned, setPinned] = useState<ReadonlySet<string>>(new Set())
  const pinFrame = useCallback((target: Element) => {
    const id = target.closest('[data-frame] > div')?.closest<HTMLElement>('.react-flow__node')?.dataset.id
    if (!id) return
    setPinned((previous) => {
      const order = [...previous]
      return order.at(-1) === id
        ? previous
        : new Set([...order.filter((pinnedId) => pinnedId !== id), id].slice(-maxPinned))
    })
  }, [])
  return { pinned: pinned, pinFrame: pinFrame }
}
