import { SelectField } from '#web/ui/fields/select-field.tsx'
import type { PeopleBoardDomain } from '../people-board-data.ts'

interface DomainChoiceProps {
  domains: readonly PeopleBoardDomain[]
  value: string
  onChange: (id: string) => void
}

export function DomainChoice({ domains, value, onChange }: DomainChoiceProps) {
  return (
    <SelectField
      label="Domain"
      options={domains.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      className="max-w-80"
    />
  )
}
