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
  /** The people with the roles they are being given. */
  people: DomainPerson[]
  change: (person: DomainPerson, to: MemberRole) => void
  /** Why the last change did not come to be. */
  failure: string | undefined
  dismissFailure: () => void
  /** For who listens. */
  said: string
  /** Ctrl+Z takes back the last change that came to be, pressed within what this is put on; with none it goes on. */
  takeUndoKey: (event: KeyDown) => void
}

interface Options {
  /** Tells on the page that the role is updated; without it the toast does. */
  onDone?: () => void
  /** Whether Ctrl+Z takes it back on the whole page: not where it undoes edits of something else. */
  takesUndoKey?: boolean
}

/**
 * Roles change on the page at once and on the server behind it, one after the other for each person; what is refused
 * goes back and is told. Undo in the toast takes back the last one that came to be.
 */
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
      const why = reason instanceof ApiError && reason.told ? reason.told : 'The server did not answer.'
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
    if (!last) return setSaid('There is no change of a role to undo.')
    const person = shown.find(({ id }) => id === last.id)
    if (person?.relation !== last.to)
      return setFailure('This role was changed by somebody else meanwhile, so nothing was undone.')
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

/** In a select too: a role was chosen there a moment ago. */
function isUndoKey({ key, shiftKey, ctrlKey, metaKey, target }: KeyboardEvent | KeyDown): boolean {
  return key.toLowerCase() === 'z' && (ctrlKey || metaKey) && !shiftKey && !isWriting(target)
}
