import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { MomentCard } from './moment-card.tsx'
import { Timeline, type TimelineProps } from './timeline.tsx'

interface OwnTimelineProps extends Omit<TimelineProps<Moment>, 'show'> {
  keeper: Keeper
  onTopic: (name: string) => void
}

/** A timeline whose moments can be edited. */
export function OwnTimeline({ keeper, onTopic, ...list }: OwnTimelineProps) {
  return <Timeline {...list} show={(moment) => <MomentCard keeper={keeper} moment={moment} onTopic={onTopic} />} />
}
