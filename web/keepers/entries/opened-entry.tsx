import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { isNotFound } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import type { SpotName } from '#web/ui/drawings/spot.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { useScrollToOpened } from './use-scroll-to-opened.ts'

interface OpenedEntryProps<Entry> {
  id: string
  query: { data: Entry | undefined; error: Error | null }
  /** `moment`, `card`. */
  noun: string
  drawing: SpotName
  /** While it isn't loaded. */
  status: ReactNode
  className: string
  /** Next to Close. */
  renderActions?: (entry: Entry) => ReactNode
  onClose: () => void
  children: (entry: Entry) => ReactNode
}

/** An entry that the address opens above its list. */
export function OpenedEntry<Entry>(props: OpenedEntryProps<Entry>) {
  const { id, query, noun, drawing, status, className, renderActions, onClose, children } = props
  const entry = query.data
  const sectionRef = useScrollToOpened<HTMLElement>(id, entry !== undefined)
  if (entry === undefined && isNotFound(query.error))
    return (
      <EmptyPanel
        drawing={drawing}
        title={`${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found`}
        action={<Button onClick={onClose}>Show all {noun}s</Button>}
      >
        The {noun} may have been deleted. Look in Recently deleted (kept for 30 days).
      </EmptyPanel>
    )
  if (entry === undefined) return status
  return (
    <section ref={sectionRef} tabIndex={-1} aria-label={`Opened ${noun}`} className={className}>
      {children(entry)}
      <div data-chrome className="mt-2 flex flex-wrap gap-1">
        {renderActions?.(entry)}
        <Button size="small" variant="plain" icon={<X aria-hidden size={13} />} onClick={onClose}>
          Close
        </Button>
      </div>
    </section>
  )
}
