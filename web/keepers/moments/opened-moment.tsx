import { CalendarDays, X } from 'lucide-react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isNotFound } from '#web/api/is-not-found.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { useScrollToOpened } from '../entries/use-scroll-to-opened.ts'
import { DayHeading } from './day-heading.tsx'
import { MomentCard } from './moment-card.tsx'
import { useMoment } from './moment-queries.ts'

interface OpenedMomentProps {
  keeper: Keeper
  id: string
  onClose: () => void
  onDay: (day: string) => void
  onTopic: (name: string) => void
}

export function OpenedMoment({ keeper, id, onClose, onDay, onTopic }: OpenedMomentProps) {
  const query = useMoment(keeper, id)
  const { data: moment } = query
  const sectionRef = useScrollToOpened<HTMLElement>(id, moment !== undefined)
  if (!moment) {
    if (!isNotFound(query.error))
      return (
        <div className="mb-6">
          <QueryStatus query={query} title="The moment couldn’t be loaded" skeleton="h-32" />
        </div>
      )
    return (
      <EmptyPanel drawing="path" title="Moment not found" action={<Button onClick={onClose}>Show all moments</Button>}>
        The moment may have been deleted. Look in Recently deleted (kept for 30 days).
      </EmptyPanel>
    )
  }
  return (
    <section
      ref={sectionRef}
      tabIndex={-1}
      aria-label="Opened moment"
      className="mb-8 max-w-[788px] rounded-lg border border-ribbon px-4 pt-1 pb-3 outline-offset-4"
    >
      <DayHeading day={moment.localDate} />
      <MomentCard keeper={keeper} moment={moment} onTopic={onTopic} />
      <div data-chrome className="flex flex-wrap gap-1">
        <Button
          size="small"
          variant="plain"
          icon={<CalendarDays aria-hidden size={13} />}
          onClick={() => onDay(moment.localDate)}
        >
          The whole day
        </Button>
        <Button size="small" variant="plain" icon={<X aria-hidden size={13} />} onClick={onClose}>
          Close
        </Button>
      </div>
    </section>
  )
}
