import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent as KeyDown, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { type DomainRole, rolesInSentences } from '#contract/domains/domain-deeds.ts'
import type { MemberRole } from '#contract/domains/domains.ts'
import { type DomainPerson, people as peopleCalls } from '#contract/domains/people.ts'
import { ApiError, call } from '#web/api.ts'
import { isMemberRole } from '#web/domain-role-words.ts'
import { isWriting } from '#web/ui/is-typing.ts'
import { nameOf } from '#web/ui/name-of-person.ts'
import { showToast } from '#web/ui/show-toast.tsx'

interface Done {
  id: string
  from: MemberRole
  to: MemberRole
}

export interface RoleChanges {
  /** Includes pending role changes. */
  people: DomainPerson[]
  change: (person: DomainPerson, to: MemberRole) => void
  /** Why the last change failed. */
  failure: string | undefined
  dismissFailure: () => void
  /** Announcement for screen readers. */
  said: string
  /** Handles Ctrl+Z within an element; ignores the key if there is nothing to undo. */
  takeUndoKey: (event: KeyDown) => void
}

interface Options {
  /** Reports success on the page; without it the toast does. */
  onDone?: () => void
  /** Whether Ctrl+Z on the whole page undoes role changes. */
  takesUndoKey?: boolean
}

/** Optimistic role changes, serialized per person; refused ones are reverted, and the toast offers Undo. */
export function useRoleChanges(
  people: readonly DomainPerson[],
  { onDone, takesUndoKey = false }: Options = {},
): RoleChanges {
  const queries = useQueryClient()
  const [under, setUnder] = useState<ReadonlyMap<string, MemberRole>>(new Map())
  const [failure, setFailure] = useState<string>()
  const [said, setSaid] = useState('')
  const line = useRef(new Map<string, Promise<void>>())
  const done = useRef<Done[]>([])

  const shown = useMemo(
    () =>
      people.map((person) => {
        const relation = under.get(person.id)
        return relation ? { ...person, relation } : person
      }),
    [people, under],
  )

  function settle(id: string, to: MemberRole) {
    setUnder((before) => {
      if (before.get(id) !== to) return before
      const after = new Map(before)
      after.delete(id)
      return after
    })
  }

  async function send(person: DomainPerson, from: DomainRole, to: MemberRole, undoes: boolean) {
    try {
      await call(peopleCalls.update, { params: { id: person.id }, body: { relation: to } })
    } catch (reason) {
      const why = reason instanceof ApiError && reason.told ? reason.told : 'The server didn’t respond.'
      setFailure(`Failed to update member role. ${nameOf(person)} stays ${rolesInSentences[from]}. ${why}`)
      setSaid(`${nameOf(person)} is ${rolesInSentences[from]} again. ${why}`)
      settle(person.id, to)
      await queries.invalidateQueries({ queryKey: ['people'] })
      return
    }
    if (!undoes && isMemberRole(from)) done.current.push({ id: person.id, from, to })
    await queries.invalidateQueries({ queryKey: ['people'] })
    settle(person.id, to)
    const told = `${nameOf(person)} is now ${rolesInSentences[to]}.`
    setSaid(told)
    onDone?.()
    void showToast(onDone ? told : `Member role updated. ${told}`, undoes ? {} : { onUndo: undo })
  }

  function change(person: DomainPerson, to: MemberRole, undoes = false) {
    const from = shown.find(({ id }) => id === person.id)?.relation ?? person.relation
    if (from === to) return
    setFailure(undefined)
    setUnder((before) => new Map(before).set(person.id, to))
    const before = line.current.get(person.id) ?? Promise.resolve()
    line.current.set(
      person.id,
      before.then(() => send(person, from, to, undoes)),
    )
  }

  const undo = useEffectEvent(() => {
    const last = done.current.pop()
    if (!last) return setSaid('There’s no role change to undo.')
    const person = shown.find(({ id }) => id === last.id)
    if (person?.relation !== last.to)
      return setFailure('Someone else has changed this role since, so nothing was undone.')
    change(person, last.from, true)
  })

  useEffect(() => {
    if (!takesUndoKey) return
    function keyDown(event: KeyboardEvent) {
      if (!isUndoKey(event)) return
      event.preventDefault()
      undo()
    }
    addEventListener('keydown', keyDown)
    return () => removeEventListener('keydown', keyDown)
  }, [takesUndoKey])

  function takeUndoKey(event: KeyDown) {
    if (done.current.length === 0 || !isUndoKey(event)) return
    event.preventDefault()
    undo()
  }

  return { people: shown, change, failure, dismissFailure: () => setFailure(undefined), said, takeUndoKey }
}

/** Includes selects, where a role may just have been chosen. */
function isUndoKey({ key, shiftKey, ctrlKey, metaKey, target }: KeyboardEvent | KeyDown): boolean {
  return key.toLowerCase() === 'z' && (ctrlKey || metaKey) && !shiftKey && !isWriting(target)
}
