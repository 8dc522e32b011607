import { firstName, personColour } from './person-colour.ts'
import { useRoomState } from './use-board-room.tsx'

const mostShown = 4

export function PeopleOnBoard() {
  const { others } = useRoomState()
  const people = [...new Map(others.map((each) => [each.personId, each])).values()]
  if (people.length === 0) return null
  const hidden = people.length - mostShown
  return (
    <ul aria-label="Also on this board" className="flex shrink-0 items-center">
      {people.slice(0, mostShown).map(({ personId, name, may }) => {
        const says = `${name ?? 'Someone'}${may === 'view' ? ', viewing' : ''}`
        return (
          <li key={personId} className="-ms-1.5 first:ms-0">
            <span
              role="img"
              title={says}
              aria-label={says}
              className="grid size-7 place-items-center rounded-full border-2 border-card font-serif text-[13px] leading-none"
              style={{ background: personColour(personId), color: '#fff' }}
            >
              {[...firstName(name)][0]?.toUpperCase()}
            </span>
          </li>
        )
      })}
      {hidden > 0 && <li className="ms-1 text-small text-muted-foreground">+{hidden}</li>}
    </ul>
  )
}
