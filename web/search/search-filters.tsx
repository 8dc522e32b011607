import { useState } from 'react'
import { searchTypes } from '#contract/keepers/search.ts'
import { searchTypeLabels } from '#web/shell/use-keeper-search.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { SelectField, type SelectOption } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import type { SearchFilter } from './search-filter.ts'

interface SearchFiltersProps {
  filter: SearchFilter
  keepers: SelectOption[]
  moods: SelectOption[]
  /** By the names in the address; `undefined` removes one. */
  onChange: (values: Record<string, string | undefined>) => void
  onClear?: () => void
}

export function SearchFilters({ filter, keepers, moods, onChange, onClear }: SearchFiltersProps) {
  const { from, to } = filter
  return (
    <fieldset aria-label="Filters" className="flex flex-wrap items-end gap-2">
      <SelectField
        label="Type"
        value={filter.type ?? ''}
        onChange={({ currentTarget }) => onChange({ type: currentTarget.value })}
        options={[
          { value: '', label: 'Everything' },
          ...searchTypes.map((type) => ({ value: type, label: searchTypeLabels[type] })),
        ]}
        className="w-36 phone:w-auto phone:flex-1 phone:basis-[45%]"
      />
      <SelectField
        label="Keeper"
        value={filter.keeperId ?? ''}
        onChange={({ currentTarget }) => onChange({ keeper: currentTarget.value })}
        options={[{ value: '', label: 'All keepers' }, ...keepers]}
        className="w-44 phone:w-auto phone:flex-1 phone:basis-[45%]"
      />
      <SelectField
        label="Mood"
        value={filter.mood === undefined ? '' : String(filter.mood)}
        onChange={({ currentTarget }) => onChange({ mood: currentTarget.value })}
        options={[{ value: '', label: 'Any mood' }, ...moods]}
        className="w-32 phone:w-auto phone:flex-1 phone:basis-[45%]"
      />
      <TopicField key={filter.topic ?? ''} topic={filter.topic ?? ''} onTopic={(topic) => onChange({ topic })} />
      <span className="flex gap-2 phone:basis-full">
        <TextField
          type="date"
          label="From"
          value={from ?? ''}
          error={from && to && from > to ? 'This is after To.' : undefined}
          onChange={({ currentTarget }) => onChange({ from: currentTarget.value })}
          className="w-[150px] phone:w-auto phone:flex-1"
        />
        <TextField
          type="date"
          label="To"
          value={to ?? ''}
          onChange={({ currentTarget }) => onChange({ to: currentTarget.value })}
          className="w-[150px] phone:w-auto phone:flex-1"
        />
      </span>
      <Checkbox
        label="With a picture"
        checked={filter.hasPicture === 'true'}
        onCheckedChange={(checked) => onChange({ picture: checked ? 'true' : undefined })}
        className="h-9 items-center!"
      />
      {onClear && (
        <Button variant="plain" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </fieldset>
  )
}

/** Filters by whole topics, so an unfinished name would find nothing. */
function TopicField({ topic, onTopic }: { topic: string; onTopic: (topic: string | undefined) => void }) {
  const [typed, setTyped] = useState(topic)
  const apply = () => typed.trim() !== topic && onTopic(typed.trim() || undefined)
  return (
    <TextField
      label="Topic"
      placeholder="Any topic"
      maxLength={80}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
      className="w-36 phone:w-auto phone:flex-1 phone:basis-[45%]"
    />
  )
}
