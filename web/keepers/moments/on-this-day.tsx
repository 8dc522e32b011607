import { Link } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { useStoredFlag } from '#web/offline/use-stored-setting.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { OpenablePicture } from '../media/media-view.tsx'
import { formatDayOfYear, formatLongDay, formatYearsAgo } from './format-day.ts'
import { MomentBody } from './moment-body.tsx'
import { useOnThisDay } from './moment-queries.ts'
import { useToday } from './use-today.ts'

/** Moments of this date in earlier years, oldest first; can be hidden. */
export function OnThisDay({ keeper }: { keeper: Keeper }) {
  const [isHidden, setHidden] = useOnThisDayHidden()
  const day = useToday()
  const { data: moments } = useOnThisDay(keeper, day, !isHidden)
  if (isHidden)
    return (
      <p data-chrome className="mb-5">
        <button type="button" onClick={() => setHidden(false)} className={quietLinkClasses}>
          Show On this day
        </button>
      </p>
    )
  if (!moments || moments.length === 0) return null
  return (
    <section
      data-chrome
      aria-label="On this day"
      className="mb-6 rounded-[3px_12px_12px_3px] border border-border bg-paper px-5 pt-4 pb-1 shadow-e2 phone:px-3.5"
    >
      <div className="mb-3 flex items-center gap-3">
        <h2 className="font-sans text-ui font-semibold tracking-normal">On this day</h2>
        <button data-chrome type="button" onClick={() => setHidden(true)} className={`ms-auto ${quietLinkClasses}`}>
          Hide
        </button>
      </div>
      {moments.map((moment) => (
        <OnThisDayMoment key={moment.id} moment={moment} today={day} />
      ))}
    </section>
  )
}

/** The tab of the moments page, which stays if the section is hidden. */
export function OnThisDayView({ keeper }: { keeper: Keeper }) {
  const day = useToday()
  const query = useOnThisDay(keeper, day)
  const { data: moments } = query
  if (!moments) return <QueryStatus query={query} title="This day couldn’t be loaded" skeletonClassName="h-40" />
  if (moments.length === 0)
    return (
      <EmptyPanel drawing="leaf" title="Nothing from this day yet">
        Moments from {formatDayOfYear(day)} will come back here in later years.
      </EmptyPanel>
    )
  return (
    <section
      aria-label="On this day"
      className="max-w-[788px] rounded-[3px_12px_12px_3px] border border-border bg-paper px-5 pt-4 pb-1 shadow-e2 phone:px-3.5"
    >
      {moments.map((moment) => (
        <OnThisDayMoment key={moment.id} moment={moment} today={day} />
      ))}
    </section>
  )
}

/** Read-only; the moment is edited on its own day. */
function OnThisDayMoment({ moment, today }: { moment: Moment; today: string }) {
  const { title, body, media, localDate } = moment
  return (
    <article
      aria-label={formatLongDay(localDate)}
      className="pb-3.5 not-last:mb-3.5 not-last:border-b not-last:border-hairline"
    >
      {title && <h3 dir="auto">{title}</h3>}
      <div className="font-serif text-read wrap-break-word italic">
        <MomentBody text={body} />
      </div>
      {media
        .filter(({ kind }) => kind === 'image')
        .map((picture) => (
          <OpenablePicture key={picture.id} media={picture} className="mt-2" />
        ))}
      <p className="mt-1.5 flex flex-wrap items-center gap-x-3 text-small text-muted-foreground">
        <time dateTime={localDate}>{formatYearsAgo(localDate, today)}</time>
        <Link to={`?view=calendar&day=${localDate}`} data-chrome className={`text-foreground ${quietLinkClasses}`}>
          Open this day
        </Link>
      </p>
    </article>
  )
}

export const useOnThisDayHidden = () => useStoredFlag('keeper-on-this-day-hidden')
