import { useMemo, useState } from 'react'
import { type DomainRole, domainRoles } from '#contract/domains/domain-deeds.ts'
import type { MemberRole } from '#contract/domains/domains.ts'
import type { DomainPerson } from '#contract/domains/people.ts'
import { isMemberRole, roleNames, roleSentences } from '#web/domain-role-words.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { nameOf } from '#web/ui/name-of-person.ts'
import type { Board } from '../board.ts'
import { companionsOf } from '../companions.ts'
import { CompanionLines } from './companion-lines.tsx'
import { PersonCard } from './person-card.tsx'
import { useCardDrag } from './use-card-drag.ts'
import { useCardKeys } from './use-card-keys.ts'

interface PeopleCanvasProps {
  board: Board
  /** Includes pending role changes. */
  people: readonly DomainPerson[]
  chosenId: string | null
  onOpen: (person: DomainPerson) => void
  onRole: (person: DomainPerson, role: MemberRole) => void
  onRefused: (why: string) => void
}

const cardsAtOnce = 30
const places: Record<DomainRole, string> = {
  owner: 'desk:col-span-2',
  admin: 'desk:col-span-4',
  user: 'desk:col-span-2',
  friend: 'desk:col-span-2',
  connection: 'desk:col-span-2',
}

/** One zone per role; dropping a card into another zone changes the role. */
export function PeopleCanvas({ board, people, chosenId, onOpen, onRole, onRefused }: PeopleCanvasProps) {
  const [more, setMore] = useState<Partial<Record<DomainRole, number>>>({})
  const inZone = useMemo(() => Map.groupBy(people, ({ relation }) => relation), [people])
  const companions = useMemo(() => companionsOf(people, board.journeys), [people, board.journeys])
  const drop = (person: DomainPerson, zone: DomainRole) => {
    if (isMemberRole(zone)) onRole(person, zone)
    else onRefused(`${nameOf(person)} can’t be made owner here. The owner can transfer the domain in Domain Settings.`)
  }
  const drag = useCardDrag(drop)
  const keys = useCardKeys(drop)
  const mayMove = people.some(({ mayChange }) => mayChange)
  const over = drag.dragged?.over ?? keys.grabbed?.over
  const moving = drag.dragged !== undefined || keys.grabbed !== undefined

  return (
    <section
      aria-label="Canvas"
      className="relative rounded-lg border border-border bg-muted bg-[radial-gradient(var(--k-border)_1px,transparent_1px)] bg-size-[20px_20px] p-4 phone:p-2.5"
    >
      <div className="grid grid-cols-6 items-stretch gap-4 phone:grid-cols-1 phone:gap-2.5">
        {domainRoles.map((zone) => {
          const here = inZone.get(zone) ?? []
          const shown = here.slice(0, cardsAtOnce + (more[zone] ?? 0))
          const takes = zone !== 'owner' && moving
          return (
            <section
              key={zone}
              data-zone={zone}
              aria-label={`${roleNames[zone]}, ${here.length}`}
              className={classNames(
                'col-span-1 min-h-36 min-w-0 rounded-lg border p-3 transition-colors duration-120 phone:min-h-0',
                places[zone],
                takes ? 'border-dashed border-ring' : 'border-border',
                takes && over === zone ? 'bg-ribbon-soft' : 'bg-background/85',
              )}
            >
              <header className="relative z-20 mb-2.5">
                <div className="flex items-baseline justify-between gap-2">
                  <h2 className="text-h3">{roleNames[zone]}</h2>
                  <span className="text-small text-muted-foreground tabular-nums">{here.length}</span>
                </div>
                <p className="text-small text-muted-foreground">{roleSentences[zone]}</p>
              </header>
              {here.length === 0 && (
                <p className="text-small text-muted-foreground italic">
                  {takes ? 'Drop the card here.' : 'No one yet.'}
                </p>
              )}
              <ul
                className={classNames(
                  'grid gap-2.5',
                  zone === 'admin' && 'desk:grid-cols-[repeat(auto-fill,minmax(210px,1fr))]',
                )}
              >
                {shown.map((person) => (
                  <li key={person.id} className="min-w-0">
                    <PersonCard
                      person={person}
                      showsDomain={board.domains.length > 1}
                      chosen={person.id === chosenId}
                      offset={drag.dragged?.id === person.id ? drag.dragged : undefined}
                      grabbed={keys.grabbed?.id === person.id}
                      pointer={{ ...drag.card(person), ...keys.card(person) }}
                      keys={keys.handle(person)}
                      onOpen={onOpen}
                      onRole={onRole}
                    />
                  </li>
                ))}
              </ul>
              {shown.length < here.length && (
                <Button
                  size="small"
                  variant="plain"
                  className="relative z-20 mt-2"
                  onClick={() => setMore({ ...more, [zone]: (more[zone] ?? 0) + 60 })}
                >
                  Show more ({here.length - shown.length} left)
                </Button>
              )}
            </section>
          )
        })}
      </div>
      <CompanionLines
        companions={companions}
        marked={drag.dragged?.id ?? chosenId}
        arrangement={`${people.length} ${drag.dragged?.x} ${drag.dragged?.y} ${JSON.stringify(more)}`}
      />
      {mayMove && (
        <p id="people-board-moving" className="relative z-20 mt-3 text-small text-muted-foreground">
          Drag a card to another role, or press Space on its handle and use the arrow keys. Ctrl+Z undoes the last
          change.
        </p>
      )}
      <p aria-live="assertive" className="sr-only">
        {keys.said}
      </p>
    </section>
  )
}
