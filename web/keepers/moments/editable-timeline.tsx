import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { MomentCard } from './moment-card.tsx'
import { Timeline, type TimelineProps } from './timeline.tsx'

interface EditableTimelineProps extends Omit<TimelineProps<Moment>, 'renderMoment'> {
  keeper: Keeper
  openTopic: (name: string) => void
}

export function EditableTimeline({ keeper, openTopic, ...list }: EditableTimelineProps) {
  return (
    <Timeline
      {...list}
      renderMoment={(moment) => <MomentCard keeper={keeper} moment={moment} openTopic={openTopic} />}
    />
  )
}
