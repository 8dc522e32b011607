import { ChevronDown } from 'lucide-react'
import { createTextFilter } from '#contract/search/search-query.ts'
import { controlClasses, controlHeight } from '#web/ui/controls/control-classes.ts'
import { Field, type FieldProps } from '#web/ui/fields/field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { SuggestionList } from './suggestion-list.tsx'
import { type Suggestion, useSuggestions } from './use-suggestions.ts'

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
  const suggestions = useSuggestions(loading ? [] : matchingOptions, onValueChange)
  return (
    <Field {...field}>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            {...suggestions.inputProps}
            value={value}
            onChange={(event) => {
              onValueChange(event.currentTarget.value)
              suggestions.open()
              suggestions.reset()
            }}
            onClick={suggestions.open}
            onKeyDown={suggestions.handleKeyDown}
            onBlur={() => {
              suggestions.close()
              onBlur?.()
            }}
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
