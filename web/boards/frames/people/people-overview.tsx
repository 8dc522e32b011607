import { Link } from 'react-router'
import type { DomainPerson } from '#contract/domains/people.ts'
import { PersonMark } from '#web/domains/people/person-mark.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { roleNames } from '#web/ui/text/domain-role-texts.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { type FramePeople, getPersonRoute, WithPeople } from './with-people.tsx'

export function PeopleOverviewFrame(props: FrameBodyProps) {
  return <WithPeople {...props}>{(people) => <People {...people} />}</WithPeople>
}

function People({ domain, people, summary, isSample }: FramePeople) {
  const { visible: visiblePeople, more } = useLimitedList(people, { initialVisible: 50, size: 'small', className: '' })
  return (
    <div className="@container flex min-h-full flex-col gap-2 px-3 py-2.5">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <p className="min-w-0 grow font-serif text-lead wrap-anywhere">{domain.name}</p>
        {!isSample && (
          <Link to={getPersonRoute(domain.id)} className={quietLinkClasses}>
            People board
          </Link>
        )}
      </div>
      <p className="text-small text-muted-foreground">
        {pluralize(summary.active, 'member')}
        {summary.pending > 0 && `, ${summary.pending} pending`}
      </p>
      <ul aria-label={`People of ${domain.name}`} className="grid grid-cols-1 gap-x-5 @min-[520px]:grid-cols-2">
        {visiblePeople.map((person) => (
          <PersonRow key={person.id} person={person} isSample={isSample} />
        ))}
      </ul>
      {more}
    </div>
  )
}

function PersonRow({ person, isSample }: { person: DomainPerson; isSample: boolean }) {
  const name = <span className="block truncate text-ui leading-[18px] font-label">{getPersonName(person)}</span>
  return (
    <li className="flex min-h-10 min-w-0 items-center gap-2.5 border-t border-hairline py-1">
      <PersonMark person={person} />
      <div className="min-w-0 grow">
        {isSample ? (
          name
        ) : (
          <Link to={getPersonRoute(person.domainId, person.id)} className="block rounded-xs hover:underline">
            {name}
          </Link>
        )}
        <p className="truncate text-small text-muted-foreground">{roleNames[person.relation]}</p>
      </div>
      {person.status === 'pending' && <Badge tone="warning">Pending</Badge>}
    </li>
  )
}
