import { Link } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { toPlainText } from '#contract/plain-text.ts'
import { ReservedHeight } from '#web/page/reserved-height.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { SavedLabel } from '#web/ui/panels/saved-label.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { JourneyProgress } from '../journeys/journey-list.tsx'
import { useJourneys } from '../journeys/journey-queries.ts'
import { formatYearsAgo } from '../moments/format-day.ts'
import { useOnThisDayHidden } from '../moments/on-this-day.tsx'
import { useToday } from '../moments/use-today.ts'
import { getReadingPath, JournalProvider } from '../reflections/journal-context.ts'
import { KeepChoice, useKeptSuggestions } from '../reflections/keep-choice.tsx'
import { toPlainExcerpt } from '../reflections/plain-excerpt.ts'

const maxVisibleSuggestions = 3

/** Reflections old enough to be kept as memory cards or left to rest. */
export function SuggestionsCard({ keeper, suggestions }: { keeper: Keeper; suggestions: readonly Reflection[] }) {
  const { kept, undecided, addKept } = useKeptSuggestions(suggestions)
  const visibleReflections = [...kept, ...undecided.slice(0, maxVisibleSuggestions)]
  if (visibleReflections.length === 0) return null
  const journalPath = `/keeper/${keeper.id}/reflection-journal`
  return (
    <JournalProvider value={keeper}>
      <section aria-labelledby="suggested">
        <div className="flex items-center gap-2">
          <h2 id="suggested" className="font-sans text-ui font-semibold tracking-normal">
            Suggested promotions
          </h2>
          <span className="rounded-full bg-ribbon-soft px-1.5 text-small font-semibold text-ribbon-text tabular-nums">
            {suggestions.length}
          </span>
          <Link to={`${journalPath}?tab=suggested`} className={`ms-auto ${quietLinkClasses}`}>
            Review all
          </Link>
        </div>
        <ul>
          {visibleReflections.map((reflection) => (
            <li key={reflection.id} className="border-b border-border py-3">
              <p className="line-clamp-2 font-serif text-[1.0625rem] leading-[1.4375rem] wrap-break-word">
                <Link to={`${journalPath}${getReadingPath(reflection.id)}`} className="rounded-xs hover:underline">
                  {reflection.topic ?? toPlainExcerpt(reflection.content, 90)}
                </Link>
              </p>
              <p className="mt-0.5 mb-2 text-small text-muted-foreground">
                <Time value={reflection.createdAt} />
              </p>
              <div aria-live="polite">
                {kept.includes(reflection) ? (
                  <SavedLabel>Kept as a memory card</SavedLabel>
                ) : (
                  <KeepChoice reflection={reflection} canRest onKept={() => addKept(reflection)} />
                )}
              </div>
            </li>
          ))}
        </ul>
      </section>
    </JournalProvider>
  )
}

const maxVisibleJourneys = 3

export function JourneysCard({ keeper }: { keeper: Keeper }) {
  const { data: journeys } = useJourneys(keeper)
  const journeysPath = `/keeper/${keeper.id}/journeys`
  return (
    <ReservedHeight name="journeys" isLoading={!journeys}>
      {journeys && journeys.length > 0 && (
        <section aria-labelledby="dashboard-journeys">
          <div className="mb-1.5 flex items-baseline">
            <h2 id="dashboard-journeys" className="font-sans text-ui font-semibold tracking-normal">
              Journeys
            </h2>
            <Link to={journeysPath} className={`ms-auto ${quietLinkClasses}`}>
              All {journeys.length}
            </Link>
          </div>
          <ul>
            {journeys.slice(0, maxVisibleJourneys).map((journey) => (
              <li key={journey.id} className="pt-1.5 pb-1">
                <Link to={`${journeysPath}?journey=${journey.id}`} className="block rounded-sm hover:underline">
                  <span className="flex items-baseline gap-3 text-ui">
                    <span dir="auto" className="min-w-0 truncate font-semibold">
                      {journey.title}
                    </span>
                    <span className="ms-auto shrink-0 text-small text-muted-foreground">
                      {pluralize(journey._count.Moment, 'moment')}
                    </span>
                  </span>
                  <JourneyProgress journey={journey} height={34} className="w-full" />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </ReservedHeight>
  )
}

const maxVisibleMoments = 3

/** Moments of this date in earlier years, oldest first. Hiding the card leaves the On this day view available. */
export function OnThisDayCard({ keeperId, moments }: { keeperId: string; moments: readonly Moment[] }) {
  const [isHidden, setHidden] = useOnThisDayHidden()
  const today = useToday()
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
        {moments.slice(0, maxVisibleMoments).map((moment) => (
          <li key={moment.id}>
            <p className="line-clamp-6 font-serif text-[1.0625rem] leading-[1.625rem] wrap-break-word italic">
              “{getPlainExcerpt(moment)}”
            </p>
            <p className="mt-1.5 text-small text-muted-foreground">
              <Link
                to={`/keeper/${keeperId}/moments?view=calendar&day=${moment.localDate}`}
                className="rounded-xs hover:underline"
              >
                {formatYearsAgo(moment.localDate, today)}
              </Link>
            </p>
          </li>
        ))}
      </ul>
      {moments.length > maxVisibleMoments && (
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
