import type { SharedMoment } from '#contract/domains/sharing-in-domains.ts'
import { Timeline, type TimelineProps } from '../moments/timeline.tsx'
import { ReadMoment } from './read-moment.tsx'

/** The moments of somebody else, day by day, to be read. */
export function ReadTimeline(list: Omit<TimelineProps<SharedMoment>, 'show'>) {
  return (
    <div className="max-w-[788px]">
      <Timeline {...list} show={(moment) => <ReadMoment moment={moment} />} />
    </div>
  )
}
