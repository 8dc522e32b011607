import { useState } from 'react'
import type { FoundPerson } from '#contract/domains/domains.ts'
import { Button } from '#web/ui/button.tsx'
import { nameOf } from '#web/ui/name-of-person.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { usePeopleSearch } from '#web/use-people-search.ts'

type Named = Pick<FoundPerson, 'name' | 'email'>

export interface PeoplePickerProps {
  /** The owner and people who already have rights. */
  without: string[]
  busy: boolean
  onPick: (person: FoundPerson) => void
}

export function PeoplePicker({ without, busy, onPick }: PeoplePickerProps) {
  const [text, setText] = useState('')
  const { asked, found, total, error, isFetching } = usePeopleSearch(text, without)

  return (
    <div>
      <SearchField
        label="Find people by name or email"
        value={text}
        onValueChange={setText}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        className="max-w-[420px]"
      />
      <p role="status" className="mt-1.5 text-small text-muted-foreground empty:hidden">
        {asked && (error ? error.message : saidOf(found.length, total, isFetching))}
      </p>
      {found.length > 0 && (
        <ul aria-label="People found" className="mt-2 max-w-[420px] rounded-md border border-border bg-card">
          {found.map((person) => (
            <li
              key={person.id}
              className="flex items-center gap-3 border-b border-hairline px-3 py-1.5 last:border-b-0 phone:py-2"
            >
              <PersonName person={person} />
              <Button
                size="small"
                disabled={busy}
                onClick={() => {
                  onPick(person)
                  setText('')
                }}
                aria-label={`Add ${nameOf(person)}`}
              >
                Add
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export function PersonName({ person, note }: { person: Named; note?: string }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate text-ui font-label">
        {nameOf(person)}
        {note && <span className="ms-1.5 font-normal text-muted-foreground">{note}</span>}
      </span>
      {person.email && person.name && (
        <span className="block truncate text-small text-muted-foreground">{person.email}</span>
      )}
    </span>
  )
}

function saidOf(shown: number, found: number | undefined, isFetching: boolean): string {
  if (found === undefined) return isFetching ? 'Searching...' : ''
  if (shown > 0) return shown === 1 ? 'One person' : `${shown} people`
  return found > 0
    ? 'Everyone found already has access.'
    : 'No one found. Type the beginning of a name, or a full email address.'
}
