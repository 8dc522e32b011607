import { X } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { nameOf } from '#web/ui/name-of-person.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { useUser, useUserPages } from '../admin-queries.ts'
import { PersonName } from '../person-name.tsx'

interface PersonFilterProps {
  value: string | undefined
  onValueChange: (userId: string | undefined) => void
  className?: string
}

const mostOffered = 6

export function PersonFilter({ value, onValueChange, className }: PersonFilterProps) {
  return (
    <div className={className}>
      {value ? (
        <Chosen id={value} onClear={() => onValueChange(undefined)} />
      ) : (
        <PersonSearch onChoose={onValueChange} />
      )}
    </div>
  )
}

function Chosen({ id, onClear }: { id: string; onClear: () => void }) {
  const { data } = useUser(id)
  const name = data ? nameOf(data) : `Someone (${id.slice(-8)})`
  return (
    <Button onClick={onClear} icon={<X aria-hidden size={14} />} className="max-w-full">
      <span className="sr-only">Show everyone again, not only </span>
      <span className="truncate">{name}</span>
    </Button>
  )
}

function PersonSearch({ onChoose }: { onChoose: (userId: string) => void }) {
  const [words, setWords] = useState('')
  const search = useDeferredValue(words.trim())
  const { data } = useUserPages(search, search !== '')
  const found = search === '' ? [] : (data?.pages[0]?.users.slice(0, mostOffered) ?? [])
  return (
    <>
      <SearchField label="Find a person..." value={words} onValueChange={setWords} />
      <p role="status" className="sr-only">
        {search === ''
          ? ''
          : found.length === 0
            ? 'No people match.'
            : found.length === 1
              ? '1 person matches.'
              : `${found.length} people match.`}
      </p>
      {search !== '' && data && (
        <ul className="mt-1.5 overflow-hidden rounded-md border border-border bg-card shadow-e1">
          {found.length === 0 && <li className="px-3 py-2 text-ui text-muted-foreground">No people match.</li>}
          {found.map((user) => (
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
