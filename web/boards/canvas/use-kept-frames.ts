import { useCallback, useState } from 'react'

/** The least recently used frame is dropped first. */
const most = 16

/** Keeps recently used frames mounted off screen, so that typed text and running responses survive. */
export function useKeptFrames() {
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const keep = useCallback((target: Element) => {
    const id = target.closest('[data-frame] > div')?.closest<HTMLElement>('.react-flow__node')?.dataset.id
    if (!id) return
    setKept((before) => {
      const order = [...before]
      return order.at(-1) === id ? before : new Set([...order.filter((each) => each !== id), id].slice(-most))
    })
  }, [])
  return { kept, keep }
}
