import { Fragment, useState } from 'react'
import { Link } from 'react-router'
import type { Echo } from '#contract/keepers/echoes.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { RetryButton } from '#web/ui/controls/button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { SavedLabel } from '#web/ui/panels/saved-label.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { DeliverButton, EchoMessage } from '../echoes/echo-card.tsx'
import { echoKind } from '../entries/entry-kinds.ts'
import { useEntryList } from '../entries/use-entry-list.ts'
import { getReadingPath, JournalProvider } from '../reflections/journal-context.ts'
import { useSuggestedReflections } from '../reflections/journal-queries.ts'
import { KeepChoice, useKeptSuggestions } from '../reflections/keep-choice.tsx'
import { toPlainExcerpt } from '../reflections/plain-excerpt.ts'

interface WaitingDecisionProps {
  kind: 'echo' | 'suggestion'
  keeperId: string
  keeperTitle: string
  onDecided: () => void
}

/** The next entry to decide, with the same actions as on its own page, and those decided since. */
export function WaitingDecision({ kind, keeperId, keeperTitle, onDecided }: WaitingDecisionProps) {
  if (kind === 'echo') return <EchoDecision keeperId={keeperId} onDecided={onDecided} />
  return (
    <JournalProvider value={{ id: keeperId, title: keeperTitle }}>
      <SuggestionDecision keeperId={keeperId} onDecided={onDecided} />
    </JournalProvider>
  )
}

type DecisionProps = Pick<WaitingDecisionProps, 'keeperId' | 'onDecided'>

function EchoDecision({ keeperId, onDecided }: DecisionProps) {
  const entryList = useEntryList(echoKind, { id: keeperId })
  const [deliveredEchoes, setDeliveredEchoes] = useState<Echo[]>([])
  const nextEcho = entryList.entries?.find(
    ({ id, state }) =>
      state === 'ready' && !entryList.queuedIds.has(id) && !deliveredEchoes.some((echo) => echo.id === id),
  )
  return (
    <>
      {nextEcho && (
        <>
          <span className="min-w-0 flex-1 basis-40 text-small text-muted-foreground">
            Written <Time value={nextEcho.createdAt} />. {nextEcho.readyBecause}
          </span>
          <span className="flex flex-wrap items-center gap-2">
            <DeliverButton
              key={nextEcho.id}
              echo={nextEcho}
              entryList={entryList}
              onDelivered={(echo) => {
                setDeliveredEchoes((previous) => [...previous, echo])
                onDecided()
              }}
            />
          </span>
        </>
      )}
      {!entryList.entries && <PendingItem hasFailed={entryList.query.isError} onRetry={entryList.query.refetch} />}
      <ul aria-label="Delivered" aria-live="polite" className="basis-full empty:hidden">
        {deliveredEchoes.map((echo) => (
          <li
            key={echo.id}
            ref={focusIfLost}
            tabIndex={-1}
            className="mt-1 animate-fade rounded-md border border-border bg-paper px-4 py-3"
          >
            <EchoMessage echo={echo} />
            <Badge tone="success" className="mt-2">
              Delivered
            </Badge>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Focuses the delivered echo when its button disappears, so that the next echo's button doesn't get the focus. */
function focusIfLost(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true })
}

function SuggestionDecision({ keeperId, onDecided }: DecisionProps) {
  const query = useSuggestedReflections()
  const {
    kept,
    undecided: [nextReflection],
    addKept,
  } = useKeptSuggestions(query.data ?? [])
  return (
    <>
      {/* The key replaces the link too, so that the focus moves to the next link, not to its Keep button. */}
      {nextReflection && (
        <Fragment key={nextReflection.id}>
          <span className="flex min-w-0 flex-1 basis-40 items-baseline gap-3 phone:basis-full">
            <ReflectionLink keeperId={keeperId} reflection={nextReflection} />
            <span className="shrink-0 text-small text-muted-foreground">
              <Time value={nextReflection.createdAt} />
            </span>
          </span>
          <KeepChoice
            reflection={nextReflection}
            canRest
            onKept={() => {
              addKept(nextReflection)
              onDecided()
            }}
          />
        </Fragment>
      )}
      {!query.data && <PendingItem hasFailed={query.isError} onRetry={query.refetch} />}
      <ul aria-label="Kept" aria-live="polite" className="basis-full empty:hidden">
        {kept.map((reflection) => (
          <li key={reflection.id} className="mt-1 flex animate-fade flex-wrap items-center gap-x-4">
            <span className="min-w-0 flex-1">
              <ReflectionLink keeperId={keeperId} reflection={reflection} />
            </span>
            <SavedLabel>Kept as a memory card</SavedLabel>
          </li>
        ))}
      </ul>
    </>
  )
}

function ReflectionLink({ keeperId, reflection }: { keeperId: string; reflection: Reflection }) {
  const { id, topic, content } = reflection
  return (
    <Link
      to={`/keeper/${encodeURIComponent(keeperId)}/reflection-journal${getReadingPath(id)}`}
      className="line-clamp-1 rounded-xs font-serif text-read wrap-anywhere hover:underline"
    >
      {topic ?? toPlainExcerpt(content, 90)}
    </Link>
  )
}

function PendingItem({ hasFailed, onRetry }: { hasFailed: boolean; onRetry: () => unknown }) {
  if (!hasFailed) return <Skeleton className="h-8 flex-1 phone:h-10" />
  return (
    <span className="flex flex-1 items-center gap-3">
      Couldn’t be loaded.
      <RetryButton onClick={onRetry} />
    </span>
  )
}
