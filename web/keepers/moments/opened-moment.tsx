import { CalendarDays } from 'lucide-react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { OpenedEntry } from '../entries/opened-entry.tsx'
import { DayHeading } from './moment-body.tsx'
import { MomentCard } from './moment-card.tsx'
import { useMoment } from './moment-queries.ts'

interface OpenedMomentProps {
  keeper: Keeper
  id: string
  onClose: () => void
  onShowDay: (day: string) => void
  openTopic: (name: string) => void
}

export function OpenedMoment({ keeper, id, onClose, onShowDay, openTopic }: OpenedMomentProps) {
  const query = useMoment(keeper, id)
  return (
    <OpenedEntry
      id={id}
      query={query}
      noun="moment"
      drawing="path"
      status={<QueryStatus query={query} title="The moment couldn’t be loaded" skeletonClassName="mb-6 h-32" />}
      className="mb-8 max-w-[788px] rounded-lg border border-ribbon px-4 pt-1 pb-3 outline-offset-4"
      onClose={onClose}
      renderActions={({ localDate }) => (
        <Button
          size="small"
          variant="plain"
          icon={<CalendarDays aria-hidden size={13} />}
          onClick={() => onShowDay(localDate)}
        >
          The whole day
        </Button>
      )}
    >
      {(moment) => (
        <>
          <DayHeading day={moment.localDate} />
          <MomentCard keeper={keeper} moment={moment} openTopic={openTopic} />
        </>
      )}
    </OpenedEntry>
  )
}
