import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { SavedLabel } from '#web/ui/panels/saved-label.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { createServerJournal } from '../reflections/journal-backend.ts'
import { type Journal, JournalProvider } from '../reflections/journal-context.ts'
import { KeepChoice } from '../reflections/keep-choice.tsx'
import { toPlainExcerpt } from '../reflections/plain-excerpt.ts'

const maxVisibleSuggestions = 3

interface SuggestionsCardProps {
  keeper: Keeper
  suggestions: readonly Reflection[]
}

/** Reflections old enough to be kept as memory cards or left to rest. */
export function SuggestionsCard({ keeper, suggestions }: SuggestionsCardProps) {
  const journal = useMemo<Journal>(
    () => ({
      keeper: { id: keeper.id, title: keeper.title },
      demo: isDemoKeeper(keeper.id),
      backend: createServerJournal(keeper.id),
    }),
    [keeper.id, keeper.title],
  )
  const [promotedReflections, setPromotedReflections] = useState<Reflection[]>([])
  const promotedIds = new Set(promotedReflections.map(({ id }) => id))
  const visibleReflections = [
    ...promotedReflections,
    ...suggestions.filter(({ id }) => !promotedIds.has(id)).slice(0, maxVisibleSuggestions),
  ]
  if (visibleReflections.length === 0) return null
  return (
    <JournalProvider value={journal}>
      <section aria-labelledby="suggested">
        <div className="flex items-center gap-2">
          <h2 id="suggested" className="font-sans text-ui font-semibold tracking-normal">
            Suggested promotions
          </h2>
          <span className="rounded-full bg-ribbon-soft px-1.5 text-small font-semibold text-ribbon-text tabular-nums">
            {suggestions.length}
          </span>
          <Link to={`/keeper/${keeper.id}/reflection-journal?tab=suggested`} className={`ms-auto ${quietLinkClasses}`}>
            Review all
          </Link>
        </div>
        <ul>
          {visibleReflections.map((reflection) => (
            <li key={reflection.id} className="border-b border-border py-3">
              <p className="line-clamp-2 font-serif text-[17px] leading-[23px] wrap-break-word">
                {reflection.topic ?? toPlainExcerpt(reflection.content, 90)}
              </p>
              <p className="mt-0.5 mb-2 text-small text-muted-foreground">
                <Time value={reflection.createdAt} />
              </p>
              <div aria-live="polite">
                {promotedIds.has(reflection.id) ? (
                  <SavedLabel>Kept as a memory card</SavedLabel>
                ) : (
                  <KeepChoice
                    reflection={reflection}
                    canRest
                    onKept={() => setPromotedReflections((previous) => [...previous, reflection])}
                  />
                )}
              </div>
            </li>
          ))}
        </ul>
      </section>
    </JournalProvider>
  )
}
