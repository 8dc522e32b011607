import { useRef, useState } from 'react'
import { domainRoles } from '#contract/domains/domain-actions.ts'
import type { MemberRole } from '#contract/domains/domains.ts'
import type { DomainPerson } from '#contract/domains/people.ts'
import { createTextFilter } from '#contract/search/search-query.ts'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { roleNames, roleSentences } from '#web/ui/text/domain-role-texts.ts'
import { PersonLink, PersonMark, RoleSelect } from '../person-mark.tsx'
import { useVirtualRows } from './use-virtual-rows.ts'

interface RoleManagerProps {
  people: readonly DomainPerson[]
  onOpen?: (person: DomainPerson) => void
  onRole: (person: DomainPerson, role: MemberRole) => void
  /** Without the explanation of the roles, in a frame of a board. */
  compact?: boolean
  isSample?: boolean
}

export function RoleManager(props: RoleManagerProps) {
  const { people, onOpen, onRole, compact = false, isSample = false } = props
  const [search, setSearch] = useState('')
  const isMatch = createTextFilter(search)
  const members = people.filter(({ userId }) => userId !== null)
  const matches = members.filter(({ name, email }) => isMatch(name, email))
  const list = useRef<HTMLUListElement>(null)
  const rows = useVirtualRows(list, compact ? 0 : matches.length, 57)
  const limitedList = useLimitedList(matches, { initialVisible: 100, size: 'small', className: 'mt-2' })
  return (
    <div className={compact ? undefined : 'grid grid-cols-[minmax(0,1fr)_220px] gap-8 phone:grid-cols-1'}>
      <div className="min-w-0">
        {(!compact || members.length > 8) && (
          <SearchField label="Search people" value={search} onValueChange={setSearch} className="mb-3 max-w-80" />
        )}
        {matches.length === 0 && (
          <EmptyPanel title="No people match">Search covers names and email addresses of members.</EmptyPanel>
        )}
        <ul
          ref={list}
          aria-label="Member roles"
          style={{ paddingTop: rows.paddingBefore, paddingBottom: rows.paddingAfter }}
        >
          {(compact ? [...limitedList.visible.keys()] : rows.indexes).map((index) => {
            const person = matches[index]
            if (!person) return null
            return (
              <li
                key={person.id}
                ref={rows.measure}
                data-index={index}
                aria-setsize={matches.length}
                aria-posinset={index + 1}
                className="flex items-center gap-3 border-b border-hairline py-2"
              >
                <PersonMark person={person} />
                <div className="min-w-0 flex-1">
                  <PersonLink person={person} onOpen={onOpen} isPlain={isSample} />
                  <p className="truncate text-small text-muted-foreground">{person.domainName}</p>
                </div>
                <RoleSelect person={person} onRole={onRole} className="w-36 shrink-0" />
              </li>
            )
          })}
        </ul>
        {compact && limitedList.more}
      </div>
      {!compact && (
        <aside aria-label="What each role can do" className="text-small">
          <h2 className="mb-2 text-h3">Roles</h2>
          <dl className="flex flex-col gap-2.5">
            {domainRoles.map((role) => (
              <div key={role}>
                <dt className="text-ui font-label">{roleNames[role]}</dt>
                <dd className="text-muted-foreground">{roleSentences[role]}</dd>
              </div>
            ))}
          </dl>
        </aside>
      )}
    </div>
  )
}
