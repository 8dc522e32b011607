import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { createTextFilter } from '#contract/search/search-query.ts'
import { controlClasses, controlHeight, Field, type FieldProps } from '#web/ui/fields/field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'

export interface SuggestFieldProps extends FieldProps {
  label: string
  value: string
  onValueChange: (value: string) => void
  onBlur?: () => void
  options: Suggestion[]
  loading?: boolean
}

export function SuggestField({ value, onValueChange, onBlur, options, loading = false, ...field }: SuggestFieldProps) {
  const isMatch = createTextFilter(value)
  const isOption = options.some((option) => option.value === value)
  const matchingOptions = isOption ? options : options.filter((option) => isMatch(option.value))
  const suggestions = useSuggestions({ options: loading ? [] : matchingOptions, onPick: onValueChange, onBlur })
  return (
    <Field {...field}>
      {(control) => (
        <div className="relative">
          <input
            dir="auto"
            {...control}
            {...suggestions.inputProps}
            value={value}
            onChange={(event) => onValueChange(event.currentTarget.value)}
            className={classNames(controlClasses, controlHeight, 'pe-8 font-mono text-ui')}
          />
          <ChevronDown
            aria-hidden
            size={15}
            className="pointer-events-none absolute end-2.5 top-0 h-full text-muted-foreground"
          />
          <SuggestionList suggestions={suggestions} label={field.label} loading={loading} />
        </div>
      )}
    </Field>
  )
}

interface SuggestionListProps {
  suggestions: Suggestions
  label: string
  loading?: boolean
}

const panelClasses =
  'absolute inset-x-0 top-full z-30 mt-1 max-h-64 animate-fade overflow-y-auto rounded-[10px] border border-border bg-popover p-[5px] text-popover-foreground shadow-e3'

export function SuggestionList({ suggestions, label, loading = false }: SuggestionListProps) {
  const { isVisible, isOpen, options, currentIndex, listId, getOptionId, pick } = suggestions
  if (loading && isOpen)
    return (
      <div className={panelClasses}>
        <SkeletonRows
          label={`Loading ${label}`}
          count={3}
          rowClassName="h-4 w-2/3"
          className="flex flex-col gap-2 p-2"
        />
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
          id={getOptionId(index)}
          role="option"
          aria-selected={index === currentIndex}
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

export interface Suggestion {
  value: string
  note?: string
  badges?: ReactNode
}

interface SuggestionsOptions {
  options: Suggestion[]
  onPick: (value: string) => void
  onBlur?: (() => void) | undefined
}

/** Suggestions for the input that gets `inputProps`. */
export function useSuggestions({ options, onPick, onBlur }: SuggestionsOptions) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [activeIndex, setActiveIndex] = useState(-1)
  const isVisible = isOpen && options.length > 0
  const currentIndex = Math.min(activeIndex, options.length - 1)
  const getOptionId = (index: number) => `${id}-${index}`
  const activeId = isVisible && currentIndex >= 0 ? getOptionId(currentIndex) : undefined

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  function close() {
    setIsOpen(false)
    setActiveIndex(-1)
  }
  function pick(value: string) {
    onPick(value)
    close()
  }
  /** @returns whether the key was handled */
  function handleKeyDown(event: KeyboardEvent): boolean {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setIsOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      const edgeIndex = step > 0 ? 0 : options.length - 1
      setActiveIndex(isVisible ? (currentIndex + step + options.length) % options.length : edgeIndex)
      return true
    }
    if (!isVisible) return false
    if (event.key === 'Escape') {
      event.stopPropagation()
      close()
      return true
    }
    const currentOption = options[currentIndex]
    if (event.key === 'Enter' && currentOption) {
      event.preventDefault()
      pick(currentOption.value)
      return true
    }
    return false
  }

  return {
    isVisible,
    isOpen,
    currentIndex,
    options,
    pick,
    handleKeyDown,
    listId: `${id}-list`,
    getOptionId,
    inputProps: {
      role: 'combobox',
      'aria-expanded': isVisible,
      'aria-controls': `${id}-list`,
      'aria-autocomplete': 'list',
      'aria-activedescendant': activeId,
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      onInput() {
        setIsOpen(true)
        setActiveIndex(-1)
      },
      onClick: () => setIsOpen(true),
      onKeyDown: handleKeyDown,
      onBlur() {
        close()
        onBlur?.()
      },
    } as const,
  }
}

export type Suggestions = ReturnType<typeof useSuggestions>
