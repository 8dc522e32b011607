import { useState } from 'react'
import type { UserSearchResult } from '#contract/domains/domains.ts'
import { usePeopleSearch } from '#web/queries/use-people-search.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'

export interface PeoplePickerProps {
  excludedIds: string[]
  busy: boolean
  onPick: (person: UserSearchResult) => void
}

export function PeoplePicker({ excludedIds, busy, onPick }: PeoplePickerProps) {
  const [text, setText] = useState('')
  const { isQueryLongEnough, results, total, error, isFetching } = usePeopleSearch(text, excludedIds)

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
        {isQueryLongEnough && (error ? error.message : getResultText(results.length, total, isFetching))}
      </p>
      {results.length > 0 && (
        <ul aria-label="People found" className="mt-2 max-w-[420px] rounded-md border border-border bg-card">
          {results.map((person) => (
            <li
              key={person.id}
              className="flex items-center gap-3 border-b border-hairline px-3 py-1.5 last:border-b-0 phone:py-2"
            >
              <PersonLabel person={person} />
              <Button
                size="small"
                disabled={busy}
                onClick={() => {
                  onPick(person)
                  setText('')
                }}
                aria-label={`Add ${getPersonName(person)}`}
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

export function PersonLabel({ person, note }: { person: Pick<UserSearchResult, 'name' | 'email'>; note?: string }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate text-ui font-label">
        {getPersonName(person)}
        {note && <span className="ms-1.5 font-normal text-muted-foreground">{note}</span>}
      </span>
      {person.email && person.name && (
        <span className="block truncate text-small text-muted-foreground">{person.email}</span>
      )}
    </span>
  )
}

function getResultText(visibleCount: number, totalCount: number | undefined, isFetching: boolean): string {
  if (totalCount === undefined) return isFetching ? 'Searching...' : ''
  if (visibleCount > 0) return pluralize(visibleCount, 'person', 'people')
  return totalCount > 0
    ? 'Everyone found already has access.'
    : 'No one found. Type the beginning of a name, or a full email address.'
}
