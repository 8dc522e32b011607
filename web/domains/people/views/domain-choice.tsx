import { SelectField } from '#web/ui/fields/select-field.tsx'
import type { PeopleBoardDomain } from '../people-board-data.ts'

interface DomainChoiceProps {
  domains: readonly PeopleBoardDomain[]
  value: string
  onChange: (id: string) => void
  /** Offers all domains, with the value ''. */
  offersAll?: boolean
  labelHidden?: boolean
  className?: string
}

export function DomainChoice({ domains, onChange, offersAll, className = 'max-w-80', ...field }: DomainChoiceProps) {
  const options = domains.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <SelectField
      label="Domain"
      options={offersAll ? [{ value: '', label: 'All domains' }, ...options] : options}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      className={className}
      {...field}
    />
  )
}
