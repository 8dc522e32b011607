import { useCallback, useState } from 'react'

/** Frames that stay mounted at most; the one that was worked in longest ago goes first. */
const most = 16

/** Frames that somebody worked in stay mounted out of sight, with what they typed and what is being answered. */
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
