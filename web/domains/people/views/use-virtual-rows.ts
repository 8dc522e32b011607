import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useState } from 'react'

interface VirtualRows {
  indexes: readonly number[]
  /** Pixels to reserve for the rows that aren't rendered. */
  paddingBefore: number
  paddingAfter: number
  measure: ((row: Element | null) => void) | undefined
}

const maxUnvirtualized = 200

/** Virtualizes lists of more than 200 rows. */
export function useVirtualRows(
  box: RefObject<HTMLElement | null>,
  count: number,
  estimatedHeight: number,
): VirtualRows {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    if (box.current) setOffset(box.current.getBoundingClientRect().top + scrollY)
  }, [box])
  const rendersAll = count <= maxUnvirtualized
  const virtualizer = useWindowVirtualizer({
    count,
    enabled: !rendersAll,
    estimateSize: () => estimatedHeight,
    overscan: 12,
    scrollMargin: offset,
  })
  if (rendersAll)
    return {
      indexes: Array.from({ length: count }, (_, index) => index),
      paddingBefore: 0,
      paddingAfter: 0,
      measure: undefined,
    }
  const items = virtualizer.getVirtualItems()
  return {
    indexes: items.map(({ index }) => index),
    paddingBefore: (items[0]?.start ?? offset) - offset,
    paddingAfter: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? offset) - offset),
    measure: virtualizer.measureElement,
  }
}
