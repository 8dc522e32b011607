import { useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Kbd } from '#web/ui/controls/kbd.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { Ribbon } from '#web/ui/panels/ribbon.tsx'
import { SavedLabel } from '#web/ui/panels/saved-label.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { usePageKeys } from '../moments/use-page-keys.ts'
import { getReadingPath } from './journal-context.ts'
import { applyQueuedWrite, useQueuedWrites, useSuggestedReflections } from './journal-queries.ts'
import { type KeepAction, KeepChoice, useKeptSuggestions } from './keep-choice.tsx'
import { toPlainExcerpt } from './plain-excerpt.ts'

/** Reflections old enough to keep. Those just kept stay visible until the person leaves the page. */
export function SuggestedPromotions() {
  const query = useSuggestedReflections()
  const { data: suggestions } = query
  const [countdowns, setCountdowns] = useState<{ id: string; action: KeepAction }[]>([])
  const listRef = useRef<HTMLUListElement>(null)
  const queuedWrites = useQueuedWrites()
  const { kept, undecided, addKept } = useKeptSuggestions(
    suggestions?.map((suggestion) => applyQueuedWrite(suggestion, queuedWrites)) ?? [],
  )
  const stopCountdown = (id: string) => setCountdowns((previous) => previous.filter((countdown) => countdown.id !== id))

  /** Starts a countdown for the focused suggestion and moves on to the next. */
  function startCountdown(action: KeepAction) {
    const item = document.activeElement?.closest<HTMLElement>('[data-item]')
    const id = item?.dataset.item
    const actionButton = item?.querySelector(`[aria-keyshortcuts="${actionKeys[action]}"]:not(:disabled)`)
    if (!item || !id || !actionButton) return
    setCountdowns((previous) => [...previous.filter((countdown) => countdown.id !== id), { id, action }])
    const neighbor = item.nextElementSibling ?? item.previousElementSibling ?? item
    neighbor.querySelector<HTMLElement>('a[href]')?.focus()
  }

  function undoLast() {
    const last = countdowns.at(-1)
    if (!last) return
    stopCountdown(last.id)
    listRef.current?.querySelector<HTMLElement>(`[data-item="${last.id}"] a[href]`)?.focus()
  }

  usePageKeys({ p: () => startCountdown('keep'), r: () => startCountdown('rest'), u: undoLast })
  if (!suggestions)
    return (
      <QueryStatus
        query={query}
        title="Suggestions couldn’t be loaded"
        skeletonClassName="mx-auto h-80 max-w-[46rem]"
      />
    )
  const visibleReflections = [...undecided, ...kept].toSorted((one, other) =>
    one.createdAt.localeCompare(other.createdAt),
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
      <p className="-mt-2 mb-4 text-small text-muted-foreground phone:hidden">
        <Kbd>J</Kbd> <Kbd>K</Kbd> to move, <Kbd>P</Kbd> to keep, <Kbd>R</Kbd> to let it rest, <Kbd>U</Kbd> to undo
      </p>
      <ul ref={listRef} className="flex flex-col gap-4">
        {visibleReflections.map((reflection) => (
          <li key={reflection.id} data-item={reflection.id}>
            <Suggestion
              reflection={reflection}
              isKept={kept.includes(reflection)}
              onKept={() => addKept(reflection)}
              countdownAction={countdowns.find(({ id }) => id === reflection.id)?.action}
              onCountdownEnd={() => stopCountdown(reflection.id)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

const actionKeys: Record<KeepAction, string> = { keep: 'P', rest: 'R' }

interface SuggestionProps {
  reflection: Reflection
  isKept: boolean
  onKept: () => void
  countdownAction: KeepAction | undefined
  onCountdownEnd: () => void
}

function Suggestion({ reflection, isKept, onKept, countdownAction, onCountdownEnd }: SuggestionProps) {
  const itemRef = useRef<HTMLDivElement>(null)
  function undo() {
    onCountdownEnd()
    itemRef.current?.querySelector<HTMLElement>('a[href]')?.focus()
  }
  return (
    <Card ref={itemRef} kind="paper" className="px-7! py-5! has-[:focus-visible]:border-input phone:px-5!">
      {isKept && <Ribbon isDropping />}
      <h2 className="pe-6 text-[1.1875rem] leading-[1.625rem] wrap-break-word">
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
          <KeepChoice
            reflection={reflection}
            onKept={onKept}
            canRest
            countdown={countdownAction && { action: countdownAction, onEnd: onCountdownEnd, onUndo: undo }}
          />
        )}
      </div>
    </Card>
  )
}
