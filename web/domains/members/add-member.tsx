import { useState } from 'react'
import { rolesInSentences } from '#contract/domains/domain-deeds.ts'
import { type Domain, domains, type FoundPerson, type MemberRole } from '#contract/domains/domains.ts'
import { call } from '#web/api.ts'
import { roleOptions } from '#web/domain-role-words.ts'
import { Button } from '#web/ui/button.tsx'
import { ifStill } from '#web/ui/if-still.ts'
import { nameOf } from '#web/ui/name-of-person.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { usePeopleSearch } from '#web/use-people-search.ts'
import type { Tell } from '../domain-detail.tsx'
import { useDomainsChanged, whyOf } from '../domain-queries.ts'

interface AddMemberProps {
  domain: Domain
  /** IDs of current members. */
  without: readonly string[]
  tell: Tell
}

export function AddMember({ domain, without, tell }: AddMemberProps) {
  const [text, setText] = useState('')
  const { asked, found, total, error, isFetching } = usePeopleSearch(text, without)
  const [role, setRole] = useState<MemberRole>('user')
  const [adding, setAdding] = useState<string>()
  const changed = useDomainsChanged()

  async function add(person: FoundPerson) {
    setAdding(person.id)
    try {
      await call(domains.addMember, { params: { id: domain.id }, body: { userId: person.id, role } })
      setText(ifStill(text, ''))
      await changed()
      tell('success', 'Member added successfully')
    } catch (reason) {
      tell('error', 'Failed to add member', whyOf(reason))
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
        {asked && (error ? error.message : saidOf(found.length, total, isFetching))}
      </p>
      {found.length > 0 && (
        <ul aria-label="People found" className="mt-1.5 rounded-md border border-border bg-popover">
          {found.map((person) => (
            <li
              key={person.id}
              className="flex items-center gap-3 border-b border-hairline px-3 py-1.5 last:border-b-0"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate text-ui font-label">{nameOf(person)}</span>
                {person.email && person.name && (
                  <span className="block truncate text-small text-muted-foreground">{person.email}</span>
                )}
              </span>
              <Button
                size="small"
                busy={adding === person.id}
                disabled={adding !== undefined}
                aria-label={`Add ${nameOf(person)} as ${rolesInSentences[role]}`}
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

function saidOf(shown: number, found: number | undefined, isFetching: boolean): string {
  if (found === undefined) return isFetching ? 'Searching...' : ''
  if (shown > 0) return shown === 1 ? '1 person found' : `${shown} people found`
  return found > 0
    ? 'Everyone found is already in this domain.'
    : 'No people found. Type the start of a name, or a full email address.'
}
