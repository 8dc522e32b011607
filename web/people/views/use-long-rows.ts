import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useState } from 'react'

interface LongRows {
  /** The rows to make, by their place. */
  shown: readonly number[]
  /** Pixels that rows not made would take. */
  before: number
  after: number
  /** For each row that is made. */
  measure: ((row: Element | null) => void) | undefined
}

const wholeUpTo = 200

/** Of up to 200 rows all; of more only those near the window are in the document. */
export function useLongRows(box: RefObject<HTMLElement | null>, count: number, usualHeight: number): LongRows {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    if (box.current) setOffset(box.current.getBoundingClientRect().top + scrollY)
  }, [box])
  const whole = count <= wholeUpTo
  const virtual = useWindowVirtualizer({
    count,
    enabled: !whole,
    estimateSize: () => usualHeight,
    overscan: 12,
    scrollMargin: offset,
  })
  if (whole) return { shown: Array.from({ length: count }, (_, at) => at), before: 0, after: 0, measure: undefined }
  const items = virtual.getVirtualItems()
  return {
    shown: items.map(({ index }) => index),
    before: (items[0]?.start ?? offset) - offset,
    after: virtual.getTotalSize() - ((items.at(-1)?.end ?? offset) - offset),
    measure: virtual.measureElement,
  }
}
