import { X } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { EntryLoadError } from '../entries/entry-parts.tsx'
import { useScrollToOpened } from '../entries/use-scroll-to-opened.ts'
import { CardItem } from './card-item.tsx'
import { useCard } from './card-queries.ts'

export function OpenedCard({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: card, error, refetch, isRefetching } = useCard(id)
  const [expanded, setExpanded] = useState(true)
  const sectionRef = useScrollToOpened<HTMLElement>(id, card !== undefined)
  if (!card) {
    if (!error) return <Skeleton className="mb-6 h-40" />
    if (error instanceof ApiError && error.status !== 404)
      return (
        <EntryLoadError
          title="Failed to fetch memory card"
          reason={error}
          onRetry={() => refetch()}
          retrying={isRefetching}
        />
      )
    return (
      <EmptyPanel drawing="drawer" title="Card not found" action={<Button onClick={onClose}>Show all cards</Button>}>
        The card may have been deleted. Look in Recently deleted (kept for 30 days).
      </EmptyPanel>
    )
  }
  return (
    <section
      ref={sectionRef}
      tabIndex={-1}
      aria-label="Opened card"
      className="mb-6 max-w-[46rem] rounded-xs outline-offset-4"
    >
      <CardItem card={card} expanded={expanded} onExpandedChange={setExpanded} isHighlighted />
      <Button
        data-chrome
        className="mt-2"
        size="small"
        variant="plain"
        icon={<X aria-hidden size={13} />}
        onClick={onClose}
      >
        Close
      </Button>
    </section>
  )
}
