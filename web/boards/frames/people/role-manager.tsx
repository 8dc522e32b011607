import { useState } from 'react'
import { roleSentences } from '#web/people/board-words.ts'
import { PersonMark } from '#web/people/person-mark.tsx'
import { RoleSelect } from '#web/people/role-select.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { counted } from '#web/ui/counted.ts'
import { nameOf } from '#web/ui/name-of-person.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { OfPeople, type PeopleOfFrame } from './of-people.tsx'
import { useRoleChange } from './use-role-change.ts'

const mostShown = 100

/** The role of each member, to be changed in place by who manages the members. */
export function RoleManagerFrame(props: FrameBodyProps) {
  return <OfPeople {...props}>{(people) => <Roles {...people} />}</OfPeople>
}

function Roles({ domain, people }: PeopleOfFrame) {
  const [wanted, setWanted] = useState('')
  const { shown, change, failure, dismissFailure } = useRoleChange()
  const members = people.filter(({ userId }) => userId !== null)
  const word = wanted.trim().toLowerCase()
  const found = members.filter(({ name, email }) => `${name ?? ''} ${email ?? ''}`.toLowerCase().includes(word))
  const mayChange = members.some((person) => person.mayChange)
  return (
    <div className="@container flex min-h-full flex-col gap-2 px-3 py-2.5">
      <p className="text-small text-muted-foreground">
        {mayChange
          ? `Roles in ${domain.name} count at once.`
          : `Roles in ${domain.name}. Its owner and admins change them.`}
      </p>
      {failure && (
        <Banner key={failure} tone="error" onDismiss={dismissFailure}>
          {failure}
        </Banner>
      )}
      {members.length > 8 && <SearchField label="Search people" value={wanted} onValueChange={setWanted} />}
      {found.length === 0 && <p className="text-ui text-muted-foreground">Nobody matches.</p>}
      <ul aria-label={`Roles in ${domain.name}`}>
        {found.slice(0, mostShown).map((person) => {
          const now = shown(person)
          return (
            <li
              key={person.id}
              className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-t border-hairline py-1.5"
            >
              <PersonMark person={person} />
              <div className="min-w-24 flex-1">
                <p className="truncate text-ui leading-[18px] font-label">{nameOf(person)}</p>
                <p className="hidden truncate text-small text-muted-foreground @min-[440px]:block">
                  {roleSentences[now.relation]}
                </p>
              </div>
              <RoleSelect person={now} onRole={(_, role) => void change(person, role)} className="w-[124px] shrink-0" />
            </li>
          )
        })}
      </ul>
      {found.length > mostShown && (
        <p className="text-small text-muted-foreground">
          {`${counted(found.length - mostShown, 'member')} more. Search for a name.`}
        </p>
      )}
    </div>
  )
}
