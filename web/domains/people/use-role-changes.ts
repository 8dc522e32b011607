import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { type DomainRole, roleNamesInSentence } from '#contract/domains/domain-actions.ts'
import type { MemberRole } from '#contract/domains/domains.ts'
import { type DomainPerson, people as peopleCalls } from '#contract/domains/people.ts'
import { call } from '#web/api/api.ts'
import { getShortcutKey, isTextField } from '#web/ui/fields/field-keys.ts'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { isMemberRole } from '#web/ui/text/domain-role-texts.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { getPeopleErrorDetail } from './people-board-data.ts'

interface AppliedRoleChange {
  id: string
  from: MemberRole
  to: MemberRole
}

export interface RoleChanges {
  /** Includes pending role changes. */
  people: DomainPerson[]
  changeRole: (person: DomainPerson, to: MemberRole) => void
  failure: string | undefined
  dismissFailure: () => void
  announcement: string
  /** Handles Ctrl+Z within an element; ignores the key if there is nothing to undo. */
  handleUndoKey: (event: ReactKeyboardEvent) => void
}

interface RoleChangeOptions {
  /** Reports success on the page; without it the toast does. */
  onDone?: () => void
  /** Whether Ctrl+Z on the whole page undoes role changes. */
  handlesUndoKey?: boolean
}

/** Optimistic role changes, serialized per person; refused ones are reverted, and the toast offers Undo. */
export function useRoleChanges(
  people: readonly DomainPerson[],
  { onDone, handlesUndoKey = false }: RoleChangeOptions = {},
): RoleChanges {
  const queryClient = useQueryClient()
  const [pending, setPending] = useState<ReadonlyMap<string, MemberRole>>(new Map())
  const [failure, setFailure] = useState<string>()
  const [announcement, setAnnouncement] = useState('')
  const queues = useRef(new Map<string, Promise<void>>())
  const undoStack = useRef<AppliedRoleChange[]>([])

  const visiblePeople = useMemo(
    () =>
      people.map((person) => {
        const relation = pending.get(person.id)
        return relation ? { ...person, relation } : person
      }),
    [people, pending],
  )

  function clearPending(id: string, to: MemberRole) {
    setPending((previous) => {
      if (previous.get(id) !== to) return previous
      const next = new Map(previous)
      next.delete(id)
      return next
    })
  }

  async function send(person: DomainPerson, from: DomainRole, to: MemberRole, isUndo: boolean) {
    try {
      await call(peopleCalls.update, { params: { id: person.id }, body: { relation: to } })
    } catch (reason) {
      const detail = getPeopleErrorDetail(reason)
      setFailure(`Failed to update member role. ${getPersonName(person)} stays ${roleNamesInSentence[from]}. ${detail}`)
      setAnnouncement(`${getPersonName(person)} is ${roleNamesInSentence[from]} again. ${detail}`)
      clearPending(person.id, to)
      await queryClient.invalidateQueries({ queryKey: ['people'] })
      return
    }
    if (!isUndo && isMemberRole(from)) undoStack.current.push({ id: person.id, from, to })
    await queryClient.invalidateQueries({ queryKey: ['people'] })
    clearPending(person.id, to)
    const message = `${getPersonName(person)} is now ${roleNamesInSentence[to]}.`
    setAnnouncement(message)
    onDone?.()
    void showToast(onDone ? message : `Member role updated. ${message}`, isUndo ? {} : { onUndo: undo })
  }

  function change(person: DomainPerson, to: MemberRole, { isUndo = false } = {}) {
    const from = visiblePeople.find(({ id }) => id === person.id)?.relation ?? person.relation
    if (from === to) return
    setFailure(undefined)
    setPending((previous) => new Map(previous).set(person.id, to))
    const previous = queues.current.get(person.id) ?? Promise.resolve()
    queues.current.set(
      person.id,
      previous.then(() => send(person, from, to, isUndo)),
    )
  }

  const undo = useEffectEvent(() => {
    const last = undoStack.current.pop()
    if (!last) return setAnnouncement('There’s no role change to undo.')
    const person = visiblePeople.find(({ id }) => id === last.id)
    if (person?.relation !== last.to)
      return setFailure('Someone else has changed this role since, so nothing was undone.')
    change(person, last.from, { isUndo: true })
  })

  useEffect(() => {
    if (!handlesUndoKey) return
    function handleKeyDown(event: KeyboardEvent) {
      if (!isUndoKey(event)) return
      event.preventDefault()
      undo()
    }
    addEventListener('keydown', handleKeyDown)
    return () => removeEventListener('keydown', handleKeyDown)
  }, [handlesUndoKey])

  function handleUndoKey(event: ReactKeyboardEvent) {
    if (undoStack.current.length === 0 || !isUndoKey(event)) return
    event.preventDefault()
    undo()
  }

  return {
    people: visiblePeople,
    changeRole: change,
    failure,
    dismissFailure: () => setFailure(undefined),
    announcement,
    handleUndoKey,
  }
}

/** Includes selects, where a role may just have been chosen. */
function isUndoKey(event: KeyboardEvent | ReactKeyboardEvent): boolean {
  const { shiftKey, ctrlKey, metaKey, target } = event
  return getShortcutKey(event) === 'z' && (ctrlKey || metaKey) && !shiftKey && !isTextField(target)
}
