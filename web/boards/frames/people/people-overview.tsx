import { Link } from 'react-router'
import type { DomainPerson } from '#contract/domains/people.ts'
import { roleNames } from '#web/domain-role-words.ts'
import { PersonMark } from '#web/people/person-mark.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { counted } from '#web/ui/counted.ts'
import { nameOf } from '#web/ui/name-of-person.ts'
import { quietLink } from '#web/ui/quiet-link.ts'
import { useFirstOf } from '#web/ui/use-first-of.tsx'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { OfPeople, type PeopleOfFrame, personAddress } from './of-people.tsx'

export function PeopleOverviewFrame(props: FrameBodyProps) {
  return <OfPeople {...props}>{(people) => <People {...people} />}</OfPeople>
}

function People({ domain, people, summary, isSample }: PeopleOfFrame) {
  const { shown, more } = useFirstOf(people, { atFirst: 50, size: 'small', className: '' })
  return (
    <div className="@container flex min-h-full flex-col gap-2 px-3 py-2.5">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <p className="min-w-0 grow font-serif text-lead wrap-anywhere">{domain.name}</p>
        {!isSample && (
          <Link to={personAddress(domain.id)} className={quietLink}>
            People board
          </Link>
        )}
      </div>
      <p className="text-small text-muted-foreground">
        {counted(summary.active, 'member')}
        {summary.pending > 0 && `, ${summary.pending} pending`}
      </p>
      <ul aria-label={`People of ${domain.name}`} className="grid grid-cols-1 gap-x-5 @min-[520px]:grid-cols-2">
        {shown.map((person) => (
          <Row key={person.id} person={person} isSample={isSample} />
        ))}
      </ul>
      {more}
    </div>
  )
}

function Row({ person, isSample }: { person: DomainPerson; isSample: boolean }) {
  const name = <span className="block truncate text-ui leading-[18px] font-label">{nameOf(person)}</span>
  return (
    <li className="flex min-h-10 min-w-0 items-center gap-2.5 border-t border-hairline py-1">
      <PersonMark person={person} />
      <div className="min-w-0 grow">
        {isSample ? (
          name
        ) : (
          <Link to={personAddress(person.domainId, person.id)} className="block rounded-xs hover:underline">
            {name}
          </Link>
        )}
        <p className="truncate text-small text-muted-foreground">{roleNames[person.relation]}</p>
      </div>
      {person.status === 'pending' && <Badge tone="warning">Pending</Badge>}
    </li>
  )
}
