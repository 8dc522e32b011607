import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type DomainRole, domainRoles, roleNamesInSentence } from '#contract/domains/domain-actions.ts'
import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import type { DomainPerson } from '#contract/domains/people.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { isMemberRole, roleNames, roleSentences } from '#web/ui/text/domain-role-texts.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { type CardBox, type Companions, findCompanions, toCompanionPath } from '../companions.ts'
import type { PeopleBoardData } from '../people-board-data.ts'
import { PersonCard } from './person-card.tsx'

interface DraggedCard {
  id: string
  /** Distance from the start, in page pixels. */
  x: number
  y: number
  zone: DomainRole | undefined
}

const dragThresholdPixels = 5
const scrollEdgePixels = 56
const scrollStepPixels = 14

/** A mouse drags cards anywhere, touch only by the handle, so that swiping still scrolls. Escape cancels. */
function useCardDrag(onDrop: (person: DomainPerson, zone: DomainRole) => void) {
  const [dragged, setDragged] = useState<DraggedCard>()
  const dragStart = useRef<{ person: DomainPerson; x: number; y: number; pointerId: number }>(undefined)

  const cancel = useEffectEvent(() => {
    dragStart.current = undefined
    setDragged(undefined)
  })
  useEffect(() => {
    const handleKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape') cancel()
    }
    addEventListener('keydown', handleKeyDown)
    return () => removeEventListener('keydown', handleKeyDown)
  }, [])

  const getCardProps = (person: DomainPerson) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const target = event.target as Element
      const isOnHandle = target.closest('[data-handle]') !== null
      if (!person.mayChange || event.button !== 0 || target.closest('select')) return
      if (event.pointerType !== 'mouse' && !isOnHandle) return
      dragStart.current = { person, x: event.pageX, y: event.pageY, pointerId: event.pointerId }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const start = dragStart.current
      if (start?.pointerId !== event.pointerId) return
      const [x, y] = [event.pageX - start.x, event.pageY - start.y]
      if (!dragged && Math.hypot(x, y) < dragThresholdPixels) return
      // Capturing earlier would swallow the click on the name.
      if (!dragged) event.currentTarget.setPointerCapture(event.pointerId)
      if (event.clientY < scrollEdgePixels) scrollBy(0, -scrollStepPixels)
      else if (event.clientY > innerHeight - scrollEdgePixels) scrollBy(0, scrollStepPixels)
      setDragged({ id: person.id, x, y, zone: findZoneAt(event.clientX, event.clientY) })
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (dragStart.current?.pointerId !== event.pointerId) return
      dragStart.current = undefined
      setDragged(undefined)
      const zone = dragged && findZoneAt(event.clientX, event.clientY)
      if (zone) onDrop(person, zone)
    },
    onPointerCancel() {
      dragStart.current = undefined
      setDragged(undefined)
    },
  })
  return { dragged, getCardProps }
}

function findZoneAt(x: number, y: number): DomainRole | undefined {
  for (const element of document.elementsFromPoint(x, y)) {
    const name = element.closest('[data-zone]')?.getAttribute('data-zone')
    if (name) return domainRoles.find((zone) => zone === name)
  }
  return undefined
}

interface PeopleCanvasProps {
  board: PeopleBoardData
  people: readonly DomainPerson[]
  chosenId: string | null
  onOpen: (person: DomainPerson) => void
  onRoleChange: (person: DomainPerson, role: MemberRole) => void
  onRefused: (reason: string) => void
}

const zonePageSize = 30
const extraPageSize = 60
/** Where five columns are too narrow, the zones are in two rows: two halves and three thirds. */
const [halfWidthClass, thirdWidthClass] = ['@min-[560px]:col-span-3', '@min-[560px]:col-span-2']
const zoneClasses: Record<DomainRole, string> = {
  owner: halfWidthClass,
  admin: halfWidthClass,
  user: thirdWidthClass,
  friend: thirdWidthClass,
  connection: thirdWidthClass,
}

/** One zone per role; dropping a card into another zone changes the role. */
export function PeopleCanvas({ board, people, chosenId, onOpen, onRoleChange, onRefused }: PeopleCanvasProps) {
  const [extraCounts, setExtraCounts] = useState<Partial<Record<DomainRole, number>>>({})
  const peopleByZone = useMemo(() => Map.groupBy(people, ({ relation }) => relation), [people])
  const companions = useMemo(() => findCompanions(people, board.journeys), [people, board.journeys])
  const handleDrop = (person: DomainPerson, zone: DomainRole) => {
    if (isMemberRole(zone)) onRoleChange(person, zone)
    else
      onRefused(
        `${getPersonName(person)} can’t be made the owner here. The owner can transfer the domain in Domain Settings.`,
      )
  }
  const cardDrag = useCardDrag(handleDrop)
  const cardKeys = useCardKeys(handleDrop)
  const canMove = people.some(({ mayChange }) => mayChange)
  const targetZone = cardDrag.dragged?.zone ?? cardKeys.grabbed?.zone
  const isMoving = cardDrag.dragged !== undefined || cardKeys.grabbed !== undefined

  return (
    <section aria-label="Canvas" className="@container relative">
      <div className="grid grid-cols-1 items-stretch gap-3 @min-[560px]:grid-cols-6 @min-[960px]:grid-cols-5">
        {domainRoles.map((zone) => {
          const zonePeople = peopleByZone.get(zone) ?? []
          const visiblePeople = zonePeople.slice(0, zonePageSize + (extraCounts[zone] ?? 0))
          const acceptsDrop = zone !== 'owner' && isMoving
          return (
            <section
              key={zone}
              data-zone={zone}
              aria-label={`${roleNames[zone]}, ${zonePeople.length}`}
              className={classNames(
                'min-w-0 rounded-lg border border-dashed p-2.5 transition-colors duration-120 @min-[560px]:min-h-36 @min-[960px]:col-span-1 @min-[960px]:min-h-96',
                zoneClasses[zone],
                acceptsDrop ? 'border-ring' : 'border-transparent',
                acceptsDrop && targetZone === zone ? 'bg-ribbon-soft' : 'bg-muted dark:bg-sidebar',
              )}
            >
              <header className="relative z-20 mb-2.5 px-1 @min-[960px]:min-h-17">
                <div className="flex items-baseline justify-between gap-2">
                  <h2 className="text-h3">{roleNames[zone]}</h2>
                  <span className="text-small text-muted-foreground tabular-nums">{zonePeople.length}</span>
                </div>
                <p className="text-small text-muted-foreground">{roleSentences[zone]}</p>
              </header>
              {zonePeople.length === 0 && (
                <p className="px-1 text-small text-muted-foreground italic">
                  {acceptsDrop ? 'Drop the card here.' : 'No one yet.'}
                </p>
              )}
              <ul className="grid gap-2.5">
                {visiblePeople.map((person) => (
                  <li key={person.id} className="min-w-0">
                    <PersonCard
                      person={person}
                      showsDomain={board.domains.length > 1}
                      chosen={person.id === chosenId}
                      offset={cardDrag.dragged?.id === person.id ? cardDrag.dragged : undefined}
                      grabbed={cardKeys.grabbed?.id === person.id}
                      pointerHandlers={{ ...cardDrag.getCardProps(person), ...cardKeys.getCardProps(person) }}
                      keyHandlers={cardKeys.getHandleProps(person)}
                      onOpen={onOpen}
                      onRoleChange={onRoleChange}
                    />
                  </li>
                ))}
              </ul>
              {visiblePeople.length < zonePeople.length && (
                <Button
                  size="small"
                  variant="plain"
                  className="relative z-20 mt-2"
                  onClick={() => setExtraCounts({ ...extraCounts, [zone]: (extraCounts[zone] ?? 0) + extraPageSize })}
                >
                  Show more ({zonePeople.length - visiblePeople.length} left)
                </Button>
              )}
            </section>
          )
        })}
      </div>
      <CompanionLines
        companions={companions}
        highlightedId={cardDrag.dragged?.id ?? chosenId}
        arrangement={`${people.length} ${cardDrag.dragged?.x} ${cardDrag.dragged?.y} ${JSON.stringify(extraCounts)}`}
      />
      {canMove && (
        <p id="people-board-moving" className="relative z-20 mt-3 text-small text-muted-foreground phone:sr-only">
          Drag a card to another role, or press Space on its handle and use the arrow keys. Ctrl+Z undoes the last
          change.
        </p>
      )}
      <p aria-live="assertive" className="sr-only">
        {cardKeys.announcement}
      </p>
    </section>
  )
}

interface CompanionLinesProps {
  companions: readonly Companions[]
  highlightedId: string | null
  /** Changes whenever cards may have moved. */
  arrangement: unknown
}

interface CompanionLine {
  key: string
  path: string
  isHighlighted: boolean
  journeyCount: number
}

const maxLines = 150

/** Connects cards of people on the same journey; the Collaboration Network has an accessible version. */
function CompanionLines({ companions, highlightedId, arrangement }: CompanionLinesProps) {
  const svgRef = useRef<SVGSVGElement>(null)
  const [lines, setLines] = useState<readonly CompanionLine[]>([])
  const otherOpacity = highlightedId ? 0.25 : 0.6

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new arrangement requires new measurements
  useLayoutEffect(() => {
    const box = svgRef.current?.parentElement
    if (!box) return
    const measure = () => setLines(measureLines(box, companions, highlightedId))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [companions, highlightedId, arrangement])

  return (
    <svg
      ref={svgRef}
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 z-10 size-full overflow-hidden"
    >
      {lines.map((line) => (
        <path
          key={line.key}
          d={line.path}
          fill="none"
          stroke="var(--k-ribbon)"
          strokeWidth={Math.min(1.2 + line.journeyCount * 0.6, 4)}
          strokeLinecap="round"
          opacity={line.isHighlighted ? 1 : otherOpacity}
        />
      ))}
    </svg>
  )
}

function measureLines(
  box: HTMLElement,
  companions: readonly Companions[],
  highlightedId: string | null,
): CompanionLine[] {
  const origin = box.getBoundingClientRect()
  const cards = new Map<string, CardBox>()
  for (const card of box.querySelectorAll('[data-person]')) {
    const { x, y, width, height } = card.getBoundingClientRect()
    cards.set(card.getAttribute('data-person') ?? '', { x: x - origin.x, y: y - origin.y, width, height })
  }
  return companions
    .flatMap(({ firstId, secondId, journeys }) => {
      const [first, second] = [cards.get(firstId), cards.get(secondId)]
      if (!first || !second) return []
      const isHighlighted = firstId === highlightedId || secondId === highlightedId
      return [
        {
          key: `${firstId} ${secondId}`,
          path: toCompanionPath(first, second),
          isHighlighted,
          journeyCount: journeys.length,
        },
      ]
    })
    .slice(0, maxLines)
}

interface GrabbedCard {
  id: string
  zone: MemberRole
}

const focusableParts = ['[data-handle]', 'select'] as const
const keySteps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/** Space grabs and drops a card, arrow keys move it between zones, Escape cancels. */
function useCardKeys(onDrop: (person: DomainPerson, zone: MemberRole) => void) {
  const [grabbed, setGrabbed] = useState<GrabbedCard>()
  const [announcement, setAnnouncement] = useState('')
  const focusedPart = useRef<{ id: string; part: (typeof focusableParts)[number] }>(undefined)

  // A moved card is a new element, so its focus has to be restored.
  useLayoutEffect(() => {
    const target = focusedPart.current
    if (!target || document.activeElement !== document.body) return
    document.querySelector<HTMLElement>(`[data-person="${CSS.escape(target.id)}"] ${target.part}`)?.focus()
  })

  const getHandleProps = (person: DomainPerson) => ({
    onKeyDown(event: KeyboardEvent) {
      const name = getPersonName(person)
      const current = grabbed?.id === person.id ? grabbed : undefined
      const isDropKey = event.key === ' ' || event.key === 'Enter'
      if (!current) {
        if (!isDropKey || !isMemberRole(person.relation)) return
        event.preventDefault()
        setGrabbed({ id: person.id, zone: person.relation })
        setAnnouncement(
          `Picked up ${name}, ${roleNamesInSentence[person.relation]}. Use the arrow keys to choose a role, Space to drop, Escape to cancel.`,
        )
        return
      }
      const step = keySteps[event.key]
      if (step !== undefined) {
        event.preventDefault()
        const index = memberRoles.indexOf(current.zone) + step
        const nextZone = memberRoles[Math.max(0, Math.min(index, memberRoles.length - 1))] ?? current.zone
        setGrabbed({ id: person.id, zone: nextZone })
        setAnnouncement(`Over ${roleNames[nextZone]}.`)
      } else if (isDropKey) {
        event.preventDefault()
        setGrabbed(undefined)
        if (current.zone === person.relation)
          return setAnnouncement(`${name} stays ${roleNamesInSentence[current.zone]}.`)
        setAnnouncement('')
        onDrop(person, current.zone)
      } else if (event.key === 'Escape') {
        event.preventDefault()
        setGrabbed(undefined)
        setAnnouncement(`${name} stays ${roleNamesInSentence[person.relation]}.`)
      }
    },
    onBlur() {
      if (grabbed?.id === person.id) setGrabbed(undefined)
    },
  })
  /** React reports no blur for a removed element, so the stored part can get the focus back after a move. */
  const getCardProps = ({ id }: DomainPerson) => ({
    onFocus({ target }: FocusEvent) {
      const part = focusableParts.find((selector) => target.matches(selector))
      focusedPart.current = part && { id, part }
    },
    onBlur() {
      focusedPart.current = undefined
    },
  })
  return { grabbed, getHandleProps, getCardProps, announcement }
}
