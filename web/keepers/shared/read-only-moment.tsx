import { MapPin } from 'lucide-react'
import type { SharedMoment } from '#contract/domains/sharing-in-domains.ts'
import { formatWeather } from '#contract/keepers/format-moment.ts'
import { MomentBody, MomentMedia, MomentRow } from '../moments/moment-body.tsx'
import { formatMood } from '../moments/moment-draft.ts'
import { Timeline, type TimelineProps } from '../moments/timeline.tsx'

export function ReadOnlyMoment({ moment }: { moment: SharedMoment }) {
  const { title, body, media, topics, mood, place, weather } = moment
  const weatherText = weather && formatWeather(weather)
  return (
    <MomentRow moment={moment}>
      <div className="min-w-0 max-w-[38rem] pb-6">
        {title && (
          <h3 dir="auto" className="mb-0.5 wrap-break-word">
            {title}
          </h3>
        )}
        {body.trim() !== '' && (
          <div className="font-serif text-read wrap-break-word">
            <MomentBody text={body} />
          </div>
        )}
        <MomentMedia media={media} />
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted-foreground empty:hidden">
          {topics.map(({ name }) => (
            <span
              dir="auto"
              key={name}
              className="inline-flex min-h-6 max-w-full items-center rounded-[5px] bg-secondary px-2 font-label text-secondary-foreground wrap-anywhere"
            >
              {name}
            </span>
          ))}
          {mood && <span>{formatMood(mood)}</span>}
          {place && (
            <span>
              <MapPin aria-hidden size={12} className="me-1 inline" />
              {place.name}
            </span>
          )}
          {weatherText && <span>{weatherText}</span>}
        </p>
      </div>
    </MomentRow>
  )
}

export function ReadOnlyTimeline(timelineProps: Omit<TimelineProps<SharedMoment>, 'renderMoment'>) {
  return (
    <div className="max-w-[788px]">
      <Timeline {...timelineProps} renderMoment={(moment) => <ReadOnlyMoment moment={moment} />} />
    </div>
  )
}
