import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { rolesInSentences } from '#contract/domains/domain-deeds.ts'
import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import type { DomainPerson } from '#contract/domains/people.ts'
import { isMemberRole, roleNames } from '#web/domain-role-words.ts'
import { nameOf } from '#web/ui/name-of-person.ts'

export interface Grabbed {
  id: string
  over: MemberRole
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/** Space grabs and drops a card, arrow keys move it between zones, Escape cancels. */
export function useCardKeys(onDrop: (person: DomainPerson, zone: MemberRole) => void) {
  const [grabbed, setGrabbed] = useState<Grabbed>()
  const [said, setSaid] = useState('')
  const focused = useRef<{ id: string; part: 'select' | '[data-handle]' }>(undefined)

  // A moved card is a new element, so its focus has to be restored.
  useLayoutEffect(() => {
    const held = focused.current
    if (!held || document.activeElement !== document.body) return
    document.querySelector<HTMLElement>(`[data-person="${CSS.escape(held.id)}"] ${held.part}`)?.focus()
  })

  const handle = (person: DomainPerson) => ({
    onKeyDown(event: KeyboardEvent) {
      const name = nameOf(person)
      const mine = grabbed?.id === person.id ? grabbed : undefined
      const drops = event.key === ' ' || event.key === 'Enter'
      if (!mine) {
        if (!drops || !isMemberRole(person.relation)) return
        event.preventDefault()
        setGrabbed({ id: person.id, over: person.relation })
        setSaid(
          `Picked up ${name}, ${rolesInSentences[person.relation]}. Use the arrow keys to choose a role, Space to drop, Escape to cancel.`,
        )
        return
      }
      const by = steps[event.key]
      if (by !== undefined) {
        event.preventDefault()
        const at = memberRoles.indexOf(mine.over) + by
        const over = memberRoles[Math.max(0, Math.min(at, memberRoles.length - 1))] ?? mine.over
        setGrabbed({ id: person.id, over })
        setSaid(`Over ${roleNames[over]}.`)
      } else if (drops) {
        event.preventDefault()
        setGrabbed(undefined)
        if (mine.over === person.relation) return setSaid(`${name} stays ${rolesInSentences[mine.over]}.`)
        setSaid('')
        onDrop(person, mine.over)
      } else if (event.key === 'Escape') {
        event.preventDefault()
        setGrabbed(undefined)
        setSaid(`${name} stays ${rolesInSentences[person.relation]}.`)
      }
    },
    onBlur() {
      if (grabbed?.id === person.id) setGrabbed(undefined)
    },
  })
  /** React reports no blur when a focused element is removed, so the stored part is what a move has to refocus. */
  const card = ({ id }: DomainPerson) => ({
    onFocus({ target }: FocusEvent) {
      focused.current = target.matches('[data-handle]')
        ? { id, part: '[data-handle]' }
        : target.matches('select')
          ? { id, part: 'select' }
          : undefined
    },
    onBlur() {
      focused.current = undefined
    },
  })
  return { grabbed, handle, card, said }
}
