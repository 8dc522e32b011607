import { useCustomPatterns } from '#web/keepers/memory-pattern-queries.ts'
import { type Choice, ChoiceCards } from '#web/ui/controls/choice-cards.tsx'
import type { StepProps } from './type-wizard.tsx'

const builtInPatterns: Choice<string>[] = [
  {
    value: 'SOLE',
    title: 'SOLE',
    description: 'One continuous story, drafted from kept entries and approved by a person.',
  },
  {
    value: 'CRMTimeline',
    title: 'CRM Timeline',
    description: 'Everything by date, on one timeline. No continuous story.',
  },
  { value: 'journal', title: 'Journal', description: 'Day by day. No continuous story.' },
  {
    value: 'tracker',
    title: 'Tracker',
    description: 'Grouped by topic. No continuous story.',
  },
  {
    value: 'palace',
    title: 'Palace',
    description: 'Grouped by place. No continuous story.',
  },
]

interface PatternStepProps extends StepProps {
  sample: boolean
  errors: Record<string, string> | undefined
}

export function PatternStep({ sample, ...stepProps }: PatternStepProps) {
  return sample ? <Patterns {...stepProps} customPatterns={[]} /> : <WithCustomPatterns {...stepProps} />
}

function WithCustomPatterns(props: Omit<PatternStepProps, 'sample'>) {
  const customPatterns = useCustomPatterns().map(({ value, label, description }) => ({
    value,
    title: label,
    description,
  }))
  return <Patterns {...props} customPatterns={customPatterns} />
}

function Patterns({
  draft,
  onDraft,
  readOnly,
  errors,
  customPatterns,
}: Omit<PatternStepProps, 'sample'> & { customPatterns: Choice<string>[] }) {
  const { memoryPattern } = draft.values
  const options = [
    ...builtInPatterns,
    ...customPatterns.filter(({ value }) => builtInPatterns.every((pattern) => pattern.value !== value)),
  ]
  // Keeps an unlisted value selectable.
  if (!options.some(({ value }) => value === memoryPattern))
    options.push({ value: memoryPattern, title: memoryPattern })
  return (
    <ChoiceCards
      label="How do keepers of this type remember?"
      options={options.map((option) => ({ ...option, disabled: readOnly }))}
      value={memoryPattern}
      error={errors?.memoryPattern}
      onValueChange={(value) => onDraft({ ...draft, values: { ...draft.values, memoryPattern: value } })}
    />
  )
}
