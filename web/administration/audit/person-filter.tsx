import { X } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { useUser, useUserPages } from '../admin-queries.ts'
import { PersonName } from '../person-name.tsx'

interface PersonFilterProps {
  value: string | undefined
  onValueChange: (userId: string | undefined) => void
  className?: string
}

const maxSuggestions = 6

export function PersonFilter({ value, onValueChange, className }: PersonFilterProps) {
  return (
    <div className={className}>
      {value ? (
        <ChosenPerson id={value} onClear={() => onValueChange(undefined)} />
      ) : (
        <PersonSearch onChoose={onValueChange} />
      )}
    </div>
  )
}

function ChosenPerson({ id, onClear }: { id: string; onClear: () => void }) {
  const { data } = useUser(id)
  const name = data ? getPersonName(data) : `Someone (${id.slice(-8)})`
  return (
    <Button onClick={onClear} icon={<X aria-hidden size={14} />} className="max-w-full">
      <span className="sr-only">Show everyone, not only </span>
      <span className="truncate">{name}</span>
    </Button>
  )
}

function PersonSearch({ onChoose }: { onChoose: (userId: string) => void }) {
  const [query, setQuery] = useState('')
  const search = useDeferredValue(query.trim())
  const { data } = useUserPages(search, search !== '')
  const matches = search === '' ? [] : (data?.pages[0]?.users.slice(0, maxSuggestions) ?? [])
  return (
    <>
      <SearchField label="Find a person..." value={query} onValueChange={setQuery} />
      <p role="status" className="sr-only">
        {search === ''
          ? ''
          : matches.length === 0
            ? 'No people match.'
            : matches.length === 1
              ? '1 person matches.'
              : `${matches.length} people match.`}
      </p>
      {search !== '' && data && (
        <ul className="mt-1.5 overflow-hidden rounded-md border border-border bg-card shadow-e1">
          {matches.length === 0 && <li className="px-3 py-2 text-ui text-muted-foreground">No people match.</li>}
          {matches.map((user) => (
            <li key={user.id}>
              <button
                type="button"
                onClick={() => onChoose(user.id)}
                className="block w-full px-3 py-1.5 text-start text-ui hover:bg-fill-hover focus-visible:-outline-offset-2"
              >
                <PersonName person={user} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
