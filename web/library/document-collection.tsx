import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { ListLayout } from '#web/offline/use-stored-setting.ts'
import { type DocumentActions, DocumentCard, DocumentRow } from './document-item.tsx'
import type { LibraryDocument } from './documents.ts'
import type { DocumentMatches } from './search-documents.ts'

interface DocumentCollectionProps {
  documents: readonly LibraryDocument[]
  layout: ListLayout
  excerpts: DocumentMatches
  selectedIds: ReadonlySet<string>
  findServerCopy: (document: LibraryDocument) => string | undefined
  actions: DocumentActions
}

const minCardWidth = 300
const gapByLayout = { cards: 14, list: 0 }
const heightByLayout = { cards: 134, list: 58 }

export function DocumentCollection({
  documents,
  layout,
  excerpts,
  selectedIds,
  findServerCopy,
  actions,
}: DocumentCollectionProps) {
  const box = useRef<HTMLDivElement>(null)
  const { columnCount, offset } = useGridLayout(box)
  const columns = layout === 'cards' ? columnCount : 1
  const gap = gapByLayout[layout]
  const virtualizer = useWindowVirtualizer({
    count: Math.ceil(documents.length / columns),
    estimateSize: () => heightByLayout[layout],
    getItemKey: (row) => `${layout}-${columns}-${documents[row * columns]?.id}`,
    overscan: 3,
    // Rows may render a moment after the scroll event.
    useFlushSync: false,
    gap,
    scrollMargin: offset,
  })
  const Item = layout === 'cards' ? DocumentCard : DocumentRow
  return (
    <div ref={box} style={{ position: 'relative', height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, key, start }) => (
        <div
          key={key}
          data-index={index}
          ref={virtualizer.measureElement}
          className="[contain:layout_style]"
          style={{ position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${start - offset}px)` }}
        >
          <ul className="grid" style={{ gap, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
            {documents.slice(index * columns, (index + 1) * columns).map((document, column) => (
              <li
                key={document.id}
                aria-setsize={documents.length}
                aria-posinset={index * columns + column + 1}
                className="min-w-0"
              >
                <Item
                  document={document}
                  excerpt={excerpts.get(document.id)}
                  isSelected={selectedIds.has(document.id)}
                  isSelecting={selectedIds.size > 0}
                  serverCopyPath={findServerCopy(document)}
                  actions={actions}
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
function useGridLayout(box: RefObject<HTMLElement | null>) {
  const [gridLayout, setGridLayout] = useState({ columnCount: 1, offset: 0 })
  useLayoutEffect(() => {
    const measure = () => {
      if (!box.current) return
      const { width, top } = box.current.getBoundingClientRect()
      const columnCount = Math.max(
        1,
        Math.min(4, Math.floor((width + gapByLayout.cards) / (minCardWidth + gapByLayout.cards))),
      )
      const offset = Math.round(top + window.scrollY)
      setGridLayout((previous) =>
        previous.columnCount === columnCount && previous.offset === offset ? previous : { columnCount, offset },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [box])
  return gridLayout
}
