import { useBoard } from '../document/use-board-editor.tsx'
import { getFirstName, getPersonColor, useBoardSessionState } from './use-board-session.tsx'

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
              className="grid size-7 place-items-center rounded-full border-2 border-card font-serif text-[0.8125rem] leading-none"
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

/** Render inside the panned and zoomed layer: positions are in canvas pixels. */
export function ParticipantCursors() {
  const { participants } = useBoardSessionState()
  const frames = useBoard(({ document }) => document.frames)
  if (participants.length === 0) return null
  return (
    <div aria-hidden data-others className="pointer-events-none">
      {participants.map(({ tab, personId, name, cursor, selection }) => {
        const color = getPersonColor(personId)
        const selected = frames.filter(({ id }) => selection.includes(id))
        return (
          <div key={tab}>
            {selected.map(({ id, data: { position, size } }) => (
              <div
                key={id}
                data-selected-by={personId}
                className="absolute z-10 rounded-lg border-2"
                style={{
                  left: position.x - 3,
                  top: position.y - 3,
                  width: size.width + 6,
                  height: size.height + 6,
                  borderColor: color,
                }}
              />
            ))}
            {cursor && (
              <div
                data-pointer-of={personId}
                className="absolute top-0 left-0 z-20 transition-transform duration-100 ease-linear motion-reduce:transition-none"
                style={{ transform: `translate(${cursor.x}px, ${cursor.y}px)` }}
              >
                <svg width="16" height="18" viewBox="0 0 16 18" aria-hidden="true">
                  <path d="M1 1l5.2 15 2.4-6.2L15 8z" fill={color} stroke="#fff" strokeWidth="1.2" />
                </svg>
                <span
                  dir="auto"
                  className="ms-3 rounded-full px-2 py-0.5 text-[0.6875rem] leading-4 whitespace-nowrap"
                  style={{ background: color, color: '#fff' }}
                >
                  {getFirstName(name)}
                </span>
              </div>
            )}
          </div>
        )
      })}
    </div>
  )
}
