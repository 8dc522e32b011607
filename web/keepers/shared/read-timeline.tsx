import type { SharedMoment } from '#contract/domains/sharing-in-domains.ts'
import { Timeline, type TimelineProps } from '../moments/timeline.tsx'
import { ReadMoment } from './read-moment.tsx'

/** A read-only timeline of another person's moments. */
export function ReadTimeline(list: Omit<TimelineProps<SharedMoment>, 'show'>) {
  return (
    <div className="max-w-[788px]">
      <Timeline {...list} show={(moment) => <ReadMoment moment={moment} />} />
    </div>
  )
}
