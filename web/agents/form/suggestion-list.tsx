import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import type { Suggestions } from './use-suggestions.ts'

interface SuggestionListProps {
  suggestions: Suggestions
  label: string
  loading?: boolean
}

const panelClasses =
  'absolute inset-x-0 top-full z-30 mt-1 max-h-64 animate-fade overflow-y-auto rounded-[10px] border border-border bg-popover p-[5px] text-popover-foreground shadow-e3'

export function SuggestionList({ suggestions, label, loading = false }: SuggestionListProps) {
  const { isVisible, isOpen, options, current, listId, optionId, pick } = suggestions
  if (loading && isOpen)
    return (
      <div className={panelClasses}>
        <SkeletonGroup label={`Loading ${label}`} className="flex flex-col gap-2 p-2">
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="h-4 w-3/5" />
        </SkeletonGroup>
      </div>
    )
  if (!isVisible) return null
  return (
    <div
      id={listId}
      role="listbox"
      aria-label={label}
      // Keeps focus in the input.
      onMouseDown={(event) => event.preventDefault()}
      className={panelClasses}
    >
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input keeps the focus and handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: options are reached by aria-activedescendant
        <div
          key={option.value}
          id={optionId(index)}
          role="option"
          aria-selected={index === current}
          onClick={() => pick(option.value)}
          className="flex min-h-8 cursor-pointer items-baseline gap-3 rounded-sm px-2.5 py-1.5 hover:bg-accent hover:text-accent-foreground aria-selected:bg-accent aria-selected:text-accent-foreground phone:min-h-10"
        >
          <span className="shrink-0 font-mono text-code">{option.value}</span>
          {option.note && <span className="min-w-0 truncate text-small text-muted-foreground">{option.note}</span>}
          {option.badges && <span className="ms-auto flex shrink-0 gap-1.5 self-center">{option.badges}</span>}
        </div>
      ))}
    </div>
  )
}
