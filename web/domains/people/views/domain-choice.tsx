import { SelectField } from '#web/ui/fields/select-field.tsx'
import type { PeopleBoardDomain } from '../people-board-data.ts'

interface DomainChoiceProps {
  domains: readonly PeopleBoardDomain[]
  value: string
  onChange: (id: string) => void
  help?: string
}

export function DomainChoice({ domains, value, onChange, help }: DomainChoiceProps) {
  return (
    <SelectField
      label="Domain"
      options={domains.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      help={help}
      className="max-w-80"
    />
  )
}
