import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { roleNamesInSentence } from '#contract/domains/domain-actions.ts'
import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import type { DomainPerson } from '#contract/domains/people.ts'
import { isMemberRole, roleNames } from '#web/ui/text/domain-role-texts.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'

export interface GrabbedCard {
  id: string
  zone: MemberRole
}

const keySteps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/** Space grabs and drops a card, arrow keys move it between zones, Escape cancels. */
export function useCardKeys(onDrop: (person: DomainPerson, zone: MemberRole) => void) {
  const [grabbed, setGrabbed] = useState<GrabbedCard>()
  const [announcement, setAnnouncement] = useState('')
  const focusedPart = useRef<{ id: string; part: 'select' | '[data-handle]' }>(undefined)

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
  /** React reports no blur when a focused element is removed, so the stored part is what a move has to refocus. */
  const getCardProps = ({ id }: DomainPerson) => ({
    onFocus({ target }: FocusEvent) {
      focusedPart.current = target.matches('[data-handle]')
        ? { id, part: '[data-handle]' }
        : target.matches('select')
          ? { id, part: 'select' }
          : undefined
    },
    onBlur() {
      focusedPart.current = undefined
    },
  })
  return { grabbed, getHandleProps: getHandleProps, getCardProps: getCardProps, announcement: announcement }
}
