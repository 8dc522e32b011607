import type { SharedMoment } from '#contract/domains/sharing-in-domains.ts'
import { Timeline, type TimelineProps } from '../moments/timeline.tsx'
import { ReadOnlyMoment } from './read-only-moment.tsx'

export function ReadOnlyTimeline(timelineProps: Omit<TimelineProps<SharedMoment>, 'renderMoment'>) {
  return (
    <div className="max-w-[788px]">
      <Timeline {...timelineProps} renderMoment={(moment) => <ReadOnlyMoment moment={moment} />} />
    </div>
  )
}
