import { useMadePatterns } from '#web/keepers/use-made-patterns.ts'
import { type Choice, ChoiceCards } from '#web/ui/choice-cards.tsx'
import type { StepProps } from './type-wizard.tsx'

const known: Choice<string>[] = [
  {
    value: 'SOLE',
    title: 'SOLE',
    description: 'One standing story, drafted from what was kept and approved by a person.',
  },
  {
    value: 'CRMTimeline',
    title: 'CRM Timeline',
    description: 'Everything by date, on one timeline. No standing story.',
  },
  { value: 'journal', title: 'Journal', description: 'Days, one after the other. No standing story.' },
  {
    value: 'tracker',
    title: 'Tracker',
    description: 'By topic: what is about the same stands together. No standing story.',
  },
  {
    value: 'palace',
    title: 'Palace',
    description: 'By place: entries are filed where they happened. No standing story.',
  },
]

interface PatternStepProps extends StepProps {
  sample: boolean
  errors: Record<string, string> | undefined
}

export function PatternStep({ sample, ...rest }: PatternStepProps) {
  return sample ? <Patterns {...rest} made={[]} /> : <WithMadeOnes {...rest} />
}

function WithMadeOnes(props: Omit<PatternStepProps, 'sample'>) {
  const made = useMadePatterns().map(({ value, label, description }) => ({ value, title: label, description }))
  return <Patterns {...props} made={made} />
}

function Patterns({
  draft,
  onDraft,
  readOnly,
  errors,
  made,
}: Omit<PatternStepProps, 'sample'> & { made: Choice<string>[] }) {
  const { memoryPattern } = draft.values
  const options = [...known, ...made.filter(({ value }) => known.every((each) => each.value !== value))]
  // A word that no list has is kept as it is written.
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
