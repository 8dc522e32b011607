import { Link } from 'react-router'
import type { Moment } from '#contract/keepers/moments.ts'
import { toPlainText } from '#contract/plain-text.ts'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { useOnThisDayHidden } from '../moments/use-on-this-day-hidden.ts'

/** Moments of this date in earlier years, oldest first. Hiding the card leaves the On this day view available. */
export function OnThisDayCard({ keeperId, moments }: { keeperId: string; moments: readonly Moment[] }) {
  const [isHidden, setHidden] = useOnThisDayHidden()
  if (moments.length === 0) return null
  if (isHidden)
    return (
      <button type="button" onClick={() => setHidden(false)} className={`self-start ${quietLinkClasses}`}>
        Show On this day
      </button>
    )
  return (
    <section
      aria-labelledby="on-this-day"
      className="rounded-[3px_12px_12px_3px] border border-border bg-paper px-5 py-4 shadow-e2"
    >
      <div className="flex items-baseline gap-3">
        <h2 id="on-this-day" className="font-sans text-ui font-semibold tracking-normal">
          On this day
        </h2>
        <button type="button" onClick={() => setHidden(true)} className={`ms-auto ${quietLinkClasses}`}>
          Hide
        </button>
      </div>
      <ul className="mt-2 flex flex-col gap-4">
        {moments.slice(0, 3).map((moment) => (
          <li key={moment.id}>
            <p className="line-clamp-6 font-serif text-[17px] leading-[26px] wrap-break-word italic">
              “{getPlainExcerpt(moment)}”
            </p>
            <p className="mt-1.5 text-small text-muted-foreground">
              <Link
                to={`/keeper/${keeperId}/moments?view=calendar&day=${moment.localDate}`}
                className="rounded-xs hover:underline"
              >
                {formatYearsAgo(moment.localDate)}, {moment.localDate.slice(0, 4)}
              </Link>
            </p>
          </li>
        ))}
      </ul>
      {moments.length > 3 && (
        <Link to={`/keeper/${keeperId}/moments?view=on-this-day`} className={`mt-3 inline-block ${quietLinkClasses}`}>
          All {moments.length}
        </Link>
      )}
    </section>
  )
}

function getPlainExcerpt({ title, body }: Moment): string {
  return toPlainText(body) || title || 'A picture'
}

const yearsAgoLabels = ['', 'One year ago', 'Two years ago', 'Three years ago', 'Four years ago', 'Five years ago']
function formatYearsAgo(day: string): string {
  const years = new Date().getFullYear() - Number(day.slice(0, 4))
  return yearsAgoLabels[years] || `${years} years ago`
}
