import { useState } from 'react'
import { Link } from 'react-router'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { Ribbon } from '#web/ui/panels/ribbon.tsx'
import { SavedLabel } from '#web/ui/panels/saved-label.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { getReadingPath } from './journal-context.ts'
import { applyQueuedWrite, useQueuedWrites, useSuggestions } from './journal-queries.ts'
import { KeepChoice } from './keep-choice.tsx'
import { toPlainExcerpt } from './plain-excerpt.ts'

/** Reflections old enough to keep. Those just kept stay visible until the page is left. */
export function SuggestedPromotions() {
  const query = useSuggestions()
  const { data } = query
  const [justKept, setJustKept] = useState<Reflection[]>([])
  const queuedWrites = useQueuedWrites()
  if (!data)
    return <QueryStatus query={query} title="Suggestions couldn’t be loaded" skeleton="mx-auto h-80 max-w-[46rem]" />
  const currentReflections = data.map((one) => applyQueuedWrite(one, queuedWrites))
  const savedIds = new Set(justKept.map(({ id }) => id))
  const visibleReflections = [...currentReflections.filter(({ id }) => !savedIds.has(id)), ...justKept].toSorted(
    (one, other) => one.createdAt.localeCompare(other.createdAt),
  )
  if (visibleReflections.length === 0) {
    return (
      <EmptyPanel drawing="lamp" title="Nothing to decide">
        Reflections rest for a day before your keeper suggests keeping them.
      </EmptyPanel>
    )
  }
  return (
    <div className="mx-auto max-w-[46rem]">
      <p className="mb-4 text-ui text-muted-foreground">
        These reflections have rested for a day. When you keep one, it becomes a memory card and the reflection is
        locked.
      </p>
      <ul className="flex flex-col gap-4">
        {visibleReflections.map((reflection) => (
          <li key={reflection.id} data-item>
            <Suggestion
              reflection={reflection}
              isKept={savedIds.has(reflection.id)}
              onKept={() => setJustKept((previous) => [...previous, reflection])}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Suggestion({ reflection, isKept, onKept }: { reflection: Reflection; isKept: boolean; onKept: () => void }) {
  return (
    <Card kind="paper" className="px-7! py-5! phone:px-5!">
      {isKept && <Ribbon isDropping />}
      <h2 className="pe-6 text-[19px] leading-[26px] wrap-break-word">
        <Link to={getReadingPath(reflection.id)} className="rounded-xs hover:underline hover:underline-offset-[3px]">
          {reflection.topic ?? <Time value={reflection.createdAt} timeStyle="day" />}
        </Link>
      </h2>
      <p className="mt-0.5 text-small text-muted-foreground">
        <Time value={reflection.createdAt} timeStyle="date-time" />
      </p>
      <p className="mt-2.5 mb-4 font-serif text-read wrap-break-word">{toPlainExcerpt(reflection.content, 420)}</p>
      <div aria-live="polite">
        {isKept ? (
          <SavedLabel>Kept as a memory card</SavedLabel>
        ) : (
          <KeepChoice reflection={reflection} onKept={onKept} canRest />
        )}
      </div>
    </Card>
  )
}
