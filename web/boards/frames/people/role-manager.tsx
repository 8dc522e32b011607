import { useState } from 'react'
import { createTextFilter } from '#contract/search/search-query.ts'
import { PersonMark, RoleSelect } from '#web/domains/people/person-mark.tsx'
import { useRoleChanges } from '#web/domains/people/use-role-changes.ts'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { roleSentences } from '#web/ui/text/domain-role-texts.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { type FramePeople, WithPeople } from './with-people.tsx'

const maxVisible = 100

/** Role changes aren't board edits, so undo works through the toast, or Ctrl+Z within the frame. */
export function RoleManagerFrame(props: FrameBodyProps) {
  return <WithPeople {...props}>{(people) => <Roles {...people} />}</WithPeople>
}

function Roles({ domain, people }: FramePeople) {
  const [search, setSearch] = useState('')
  const roles = useRoleChanges(people)
  const members = roles.people.filter(({ userId }) => userId !== null)
  const isMatch = createTextFilter(search)
  const matches = members.filter(({ name, email }) => isMatch(name, email))
  const canChange = members.some((person) => person.mayChange)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles keys that bubble up from its controls
    <div onKeyDown={roles.handleUndoKey} className="@container flex min-h-full flex-col gap-2 px-3 py-2.5">
      <p className="text-small text-muted-foreground">
        {canChange
          ? `Role changes in ${domain.name} take effect right away.`
          : `Roles in ${domain.name}. Only its owner and admins can change them.`}
      </p>
      {roles.failure && (
        <Banner key={roles.failure} tone="error" onDismiss={roles.dismissFailure}>
          {roles.failure}
        </Banner>
      )}
      {members.length > 8 && <SearchField label="Search people" value={search} onValueChange={setSearch} />}
      {matches.length === 0 && <p className="text-ui text-muted-foreground">No people match.</p>}
      <ul aria-label={`Roles in ${domain.name}`}>
        {matches.slice(0, maxVisible).map((person) => (
          <li key={person.id} className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-t border-hairline py-1.5">
            <PersonMark person={person} />
            <div className="min-w-24 flex-1">
              <p className="truncate text-ui leading-[18px] font-label">{getPersonName(person)}</p>
              <p className="hidden truncate text-small text-muted-foreground @min-[440px]:block">
                {roleSentences[person.relation]}
              </p>
            </div>
            <RoleSelect person={person} onRole={roles.changeRole} className="w-[124px] shrink-0" />
          </li>
        ))}
      </ul>
      {matches.length > maxVisible && (
        <p className="text-small text-muted-foreground">
          {`${pluralize(matches.length - maxVisible, 'member')} more. Search by name.`}
        </p>
      )}
    </div>
  )
}
