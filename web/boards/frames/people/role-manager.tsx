import { useState } from 'react'
import { roleSentences } from '#web/domain-role-words.ts'
import { PersonMark } from '#web/people/person-mark.tsx'
import { RoleSelect } from '#web/people/role-select.tsx'
import { useRoleChanges } from '#web/people/use-role-changes.ts'
import { Banner } from '#web/ui/banner.tsx'
import { counted } from '#web/ui/counted.ts'
import { nameOf } from '#web/ui/name-of-person.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { OfPeople, type PeopleOfFrame } from './of-people.tsx'

const mostShown = 100

/** Role changes aren't board edits, so undo works through the toast, or Ctrl+Z within the frame. */
export function RoleManagerFrame(props: FrameBodyProps) {
  return <OfPeople {...props}>{(people) => <Roles {...people} />}</OfPeople>
}

function Roles({ domain, people }: PeopleOfFrame) {
  const [wanted, setWanted] = useState('')
  const roles = useRoleChanges(people)
  const members = roles.people.filter(({ userId }) => userId !== null)
  const word = wanted.trim().toLowerCase()
  const found = members.filter(({ name, email }) => `${name ?? ''} ${email ?? ''}`.toLowerCase().includes(word))
  const mayChange = members.some((person) => person.mayChange)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys of the controls within
    <div onKeyDown={roles.takeUndoKey} className="@container flex min-h-full flex-col gap-2 px-3 py-2.5">
      <p className="text-small text-muted-foreground">
        {mayChange
          ? `Role changes in ${domain.name} take effect right away.`
          : `Roles in ${domain.name}. Only its owner and admins can change them.`}
      </p>
      {roles.failure && (
        <Banner key={roles.failure} tone="error" onDismiss={roles.dismissFailure}>
          {roles.failure}
        </Banner>
      )}
      {members.length > 8 && <SearchField label="Search people" value={wanted} onValueChange={setWanted} />}
      {found.length === 0 && <p className="text-ui text-muted-foreground">No people match.</p>}
      <ul aria-label={`Roles in ${domain.name}`}>
        {found.slice(0, mostShown).map((person) => (
          <li key={person.id} className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-t border-hairline py-1.5">
            <PersonMark person={person} />
            <div className="min-w-24 flex-1">
              <p className="truncate text-ui leading-[18px] font-label">{nameOf(person)}</p>
              <p className="hidden truncate text-small text-muted-foreground @min-[440px]:block">
                {roleSentences[person.relation]}
              </p>
            </div>
            <RoleSelect person={person} onRole={roles.change} className="w-[124px] shrink-0" />
          </li>
        ))}
      </ul>
      {found.length > mostShown && (
        <p className="text-small text-muted-foreground">
          {`${counted(found.length - mostShown, 'member')} more. Search by name.`}
        </p>
      )}
    </div>
  )
}
