import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { maxSearchLength } from '#contract/keepers/keeper-fields.ts'
import { createTextFilter } from '#contract/search/search-query.ts'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { FrameProblem } from './frame-query.tsx'

interface EntityChoice {
  id: string
  label: string
  detail?: string | undefined
  picture?: ReactNode
}

export interface EntityPickerProps {
  title: ReactNode
  searchLabel: string
  choices: readonly EntityChoice[] | undefined
  problem: Error | null
  onRetry: () => unknown
  onChoose: (id: string) => void
  /** Shown when there are no choices at all. */
  empty: ReactNode
  /** External search; otherwise the choices are filtered here. */
  search?: { value: string; onChange: (value: string) => void }
  /** Rendered last, for a back button. */
  children?: ReactNode
}

export function EntityPicker(props: EntityPickerProps) {
  const { title, searchLabel, choices, problem, onRetry, onChoose, empty, search, children } = props
  const [localQuery, setLocalQuery] = useState('')
  const query = search?.value ?? localQuery
  const isMatch = createTextFilter(query)
  const visibleChoices = search ? choices : choices?.filter(({ label, detail }) => isMatch(label, detail))

  function handleKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    const choiceButtons = [...event.currentTarget.querySelectorAll<HTMLElement>('input, [data-choice]')]
    const next = choiceButtons[choiceButtons.indexOf(document.activeElement as HTMLElement) + step]
    event.preventDefault()
    next?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move from the search field to the results
    <div onKeyDown={handleKeyDown} className="flex min-h-full flex-col gap-2 px-3 py-2.5">
      <p className="font-serif text-[16px] leading-[22px]">{title}</p>
      {(search || (choices && choices.length > 5)) && (
        <SearchField
          label={searchLabel}
          maxLength={maxSearchLength}
          value={query}
          onValueChange={search?.onChange ?? setLocalQuery}
        />
      )}
      {problem && !choices ? (
        <FrameProblem reason={problem} onRetry={onRetry} />
      ) : !visibleChoices ? (
        <SkeletonGroup className="grid gap-2">
          <Skeleton className="h-7" />
          <Skeleton className="h-7 w-4/5" />
        </SkeletonGroup>
      ) : visibleChoices.length === 0 ? (
        <p className="text-ui text-muted-foreground">{query === '' ? empty : `Nothing found for “${query}”.`}</p>
      ) : (
        <ul aria-label={searchLabel} className="-mx-1.5 flex flex-col">
          {visibleChoices.slice(0, 50).map((choice) => (
            <li key={choice.id}>
              <button
                type="button"
                data-choice
                onClick={() => onChoose(choice.id)}
                className="flex w-full min-w-0 items-center gap-2.5 rounded-sm px-1.5 py-1.5 text-start hover:bg-fill focus-visible:-outline-offset-2"
              >
                {choice.picture}
                <span className="min-w-0">
                  <span className="block truncate text-ui leading-[18px] font-label">{choice.label}</span>
                  {choice.detail && (
                    <span className="block truncate text-small leading-4 text-muted-foreground">{choice.detail}</span>
                  )}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {children}
    </div>
  )
}
