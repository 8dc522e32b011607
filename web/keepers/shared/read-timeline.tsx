import type { SharedMoment } from '#contract/domains/sharing-in-domains.ts'
import { Timeline, type TimelineProps } from '../moments/timeline.tsx'
import { ReadMoment } from './read-moment.tsx'

export function ReadTimeline(list: Omit<TimelineProps<SharedMoment>, 'renderMoment'>) {
  return (
    <div className="max-w-[788px]">
      <Timeline {...list} renderMoment={(moment) => <ReadMoment moment={moment} />} />
    </div>
  )
}
