import { useState } from 'react'
import { roleNamesInSentence } from '#contract/domains/domain-actions.ts'
import { type Domain, domains, type MemberRole, type UserSearchResult } from '#contract/domains/domains.ts'
import { call } from '#web/api/api.ts'
import { usePeopleSearch } from '#web/queries/use-people-search.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { replaceIfUnchanged } from '#web/ui/hooks/replace-if-unchanged.ts'
import { roleOptions } from '#web/ui/text/domain-role-texts.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'
import type { Notify } from '../domain-detail.tsx'
import { getDomainErrorDetail, useInvalidateDomains } from '../domain-queries.ts'

interface AddMemberProps {
  domain: Domain
  excludedIds: readonly string[]
  notify: Notify
}

export function AddMember({ domain, excludedIds, notify }: AddMemberProps) {
  const [text, setText] = useState('')
  const {
    isQueryLongEnough: hasSearched,
    results: people,
    total,
    error,
    isFetching,
  } = usePeopleSearch(text, excludedIds)
  const [role, setRole] = useState<MemberRole>('user')
  const [adding, setAdding] = useState<string>()
  const invalidateDomains = useInvalidateDomains()

  async function add(person: UserSearchResult) {
    setAdding(person.id)
    try {
      await call(domains.addMember, { params: { id: domain.id }, body: { userId: person.id, role } })
      setText(replaceIfUnchanged(text, ''))
      await invalidateDomains()
      notify('success', 'Member added successfully')
    } catch (reason) {
      notify('error', 'Failed to add member', getDomainErrorDetail(reason))
    } finally {
      setAdding(undefined)
    }
  }

  return (
    <div className="mb-3">
      <div className="flex flex-wrap items-end gap-2">
        <SearchField
          label="Add by name or email"
          value={text}
          onValueChange={setText}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          className="min-w-0 flex-1 basis-56"
        />
        <span className="flex items-center gap-2">
          <span aria-hidden className="text-ui text-muted-foreground">
            as
          </span>
          <SelectField
            label="Role of the new member"
            labelHidden
            className="w-32"
            value={role}
            options={roleOptions}
            onChange={(event) => setRole(event.currentTarget.value as MemberRole)}
          />
        </span>
      </div>
      <p role="status" className="mt-1.5 text-small text-muted-foreground empty:hidden">
        {hasSearched && (error ? error.message : formatSearchStatus(people.length, total, isFetching))}
      </p>
      {people.length > 0 && (
        <ul aria-label="People found" className="mt-1.5 rounded-md border border-border bg-popover">
          {people.map((person) => (
            <li
              key={person.id}
              className="flex items-center gap-3 border-b border-hairline px-3 py-1.5 last:border-b-0"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate text-ui font-label">{getPersonName(person)}</span>
                {person.email && person.name && (
                  <span className="block truncate text-small text-muted-foreground">{person.email}</span>
                )}
              </span>
              <Button
                size="small"
                busy={adding === person.id}
                disabled={adding !== undefined}
                aria-label={`Add ${getPersonName(person)} as ${roleNamesInSentence[role]}`}
                onClick={() => add(person)}
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

function formatSearchStatus(visibleCount: number, matchCount: number | undefined, isFetching: boolean): string {
  if (matchCount === undefined) return isFetching ? 'Searching...' : ''
  if (visibleCount > 0) return visibleCount === 1 ? '1 person found' : `${visibleCount} people found`
  return matchCount > 0
    ? 'Everyone found is already in this domain.'
    : 'No people found. Type the start of a name, or a full email address.'
}
