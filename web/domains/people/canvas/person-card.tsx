import { GripVertical, Waypoints } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { MemberRole } from '#contract/domains/domains.ts'
import type { DomainPerson } from '#contract/domains/people.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { getPersonSubtitle, PersonAvatar, PersonLink, RoleSelect } from '../person-avatar.tsx'

interface PersonCardProps {
  person: DomainPerson
  showsDomain: boolean
  chosen: boolean
  offset: { x: number; y: number } | undefined
  grabbed: boolean
  pointerHandlers: Pick<
    ComponentProps<'article'>,
    'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel' | 'onFocus' | 'onBlur'
  >
  keyHandlers: Pick<ComponentProps<'button'>, 'onKeyDown' | 'onBlur'>
  onOpen: (person: DomainPerson) => void
  onRoleChange: (person: DomainPerson, role: MemberRole) => void
}

export function PersonCard({
  person,
  showsDomain,
  chosen,
  offset,
  grabbed,
  pointerHandlers,
  keyHandlers,
  onOpen,
  onRoleChange,
}: PersonCardProps) {
  const name = getPersonName(person)
  const journeyCount = person.journeyIds.length
  return (
    <article
      {...pointerHandlers}
      aria-label={name}
      data-person={person.id}
      style={offset && { transform: `translate(${offset.x}px, ${offset.y}px) rotate(1.5deg)` }}
      className={classNames(
        'relative rounded-md border bg-card p-2.5 transition-[border-color,box-shadow] duration-120',
        offset ? 'pointer-events-none z-30 shadow-e3 select-none' : 'z-20 shadow-e1',
        chosen || grabbed || offset ? 'border-ring inset-ring inset-ring-ring' : 'border-border hover:border-input',
        person.status === 'pending' && 'border-dashed',
        person.mayChange && !offset && 'desk:cursor-grab desk:select-none',
      )}
    >
      <div className="flex items-start gap-2">
        <PersonAvatar person={person} />
        <div className="min-w-0 flex-1">
          <PersonLink person={person} onOpen={onOpen} />
          <p className="truncate text-small text-muted-foreground">{getPersonSubtitle(person)}</p>
        </div>
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-1.5 empty:hidden">
        {person.status === 'pending' && <Badge tone="warning">Pending</Badge>}
        {showsDomain && (
          <Badge tone="outlined" className="max-w-full">
            <span className="truncate">{person.domainName}</span>
          </Badge>
        )}
        {journeyCount > 0 && (
          <Badge icon={<Waypoints aria-hidden size={12} />}>{pluralize(journeyCount, 'journey')}</Badge>
        )}
      </div>
      {person.mayChange && (
        <div className="mt-2 flex items-center gap-1">
          <RoleSelect person={person} onRoleChange={onRoleChange} className="flex-1" />
          <button
            type="button"
            {...keyHandlers}
            data-handle={person.id}
            aria-label={`Move ${name}`}
            aria-pressed={grabbed}
            aria-describedby="people-board-moving"
            title="Drag to another role, or press Space and use the arrow keys"
            className="-me-1.5 grid size-7 shrink-0 cursor-grab touch-none place-items-center rounded-sm text-muted-foreground hover:bg-fill hover:text-foreground aria-pressed:bg-fill aria-pressed:text-foreground phone:size-10"
          >
            <GripVertical aria-hidden size={15} />
          </button>
        </div>
      )}
    </article>
  )
}
