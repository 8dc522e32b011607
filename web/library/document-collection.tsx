import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { DocumentCard, type DocumentDeeds, DocumentRow } from './document-item.tsx'
import type { LibraryDocument } from './documents.ts'
import type { Excerpt } from './search-documents.ts'
import type { Layout } from './use-layout.ts'

interface DocumentCollectionProps {
  documents: readonly LibraryDocument[]
  layout: Layout
  places: ReadonlyMap<string, Excerpt>
  chosen: ReadonlySet<string>
  deeds: DocumentDeeds
}

const narrowest = 300
const gaps = { cards: 14, list: 0 }
const usualHeights = { cards: 134, list: 58 }

/** Virtualized cards or rows. */
export function DocumentCollection({ documents, layout, places, chosen, deeds }: DocumentCollectionProps) {
  const box = useRef<HTMLDivElement>(null)
  const { fitting, offset } = usePlace(box)
  const columns = layout === 'cards' ? fitting : 1
  const gap = gaps[layout]
  const virtual = useWindowVirtualizer({
    count: Math.ceil(documents.length / columns),
    estimateSize: () => usualHeights[layout],
    getItemKey: (row) => `${layout}-${columns}-${documents[row * columns]?.id}`,
    overscan: 3,
    // Rows may render a moment after the scroll event.
    useFlushSync: false,
    gap,
    scrollMargin: offset,
  })
  const Item = layout === 'cards' ? DocumentCard : DocumentRow
  return (
    <div ref={box} style={{ position: 'relative', height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => (
        <div
          key={key}
          data-index={index}
          ref={virtual.measureElement}
          className="[contain:layout_style]"
          style={{ position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${start - offset}px)` }}
        >
          <ul className="grid" style={{ gap, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
            {documents.slice(index * columns, (index + 1) * columns).map((document, at) => (
              <li
                key={document.id}
                aria-setsize={documents.length}
                aria-posinset={index * columns + at + 1}
                className="min-w-0"
              >
                <Item
                  document={document}
                  excerpt={places.get(document.id)}
                  chosen={chosen.has(document.id)}
                  choosing={chosen.size > 0}
                  deeds={deeds}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}

/** Number of columns, and the list's offset from the top of the page in px. */
function usePlace(box: RefObject<HTMLElement | null>) {
  const [place, setPlace] = useState({ fitting: 1, offset: 0 })
  useLayoutEffect(() => {
    const look = () => {
      if (!box.current) return
      const { width, top } = box.current.getBoundingClientRect()
      const fitting = Math.max(1, Math.min(4, Math.floor((width + gaps.cards) / (narrowest + gaps.cards))))
      const offset = Math.round(top + window.scrollY)
      setPlace((before) => (before.fitting === fitting && before.offset === offset ? before : { fitting, offset }))
    }
    look()
    const watch = new ResizeObserver(look)
    watch.observe(document.body)
    return () => watch.disconnect()
  }, [box])
  return place
}
