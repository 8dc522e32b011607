import { getFirstName, getPersonColor } from './person-colour.ts'
import { useBoardSessionState } from './use-board-session.tsx'

const maxAvatars = 4

export function ParticipantAvatars() {
  const { participants } = useBoardSessionState()
  const people = [...new Map(participants.map((participant) => [participant.personId, participant])).values()]
  if (people.length === 0) return null
  const hiddenCount = people.length - maxAvatars
  return (
    <ul aria-label="Also on this board" className="flex shrink-0 items-center">
      {people.slice(0, maxAvatars).map(({ personId, name, may }) => {
        const label = `${name ?? 'Someone'}${may === 'view' ? ', viewing' : ''}`
        return (
          <li key={personId} className="-ms-1.5 first:ms-0">
            <span
              role="img"
              title={label}
              aria-label={label}
              className="grid size-7 place-items-center rounded-full border-2 border-card font-serif text-[13px] leading-none"
              style={{ background: getPersonColor(personId), color: '#fff' }}
            >
              {[...getFirstName(name)][0]?.toUpperCase()}
            </span>
          </li>
        )
      })}
      {hiddenCount > 0 && <li className="ms-1 text-small text-muted-foreground">+{hiddenCount}</li>}
    </ul>
  )
}
