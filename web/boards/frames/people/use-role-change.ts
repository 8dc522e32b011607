import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MemberRole } from '#contract/domains/domains.ts'
import { type DomainPerson, people } from '#contract/domains/people.ts'
import { ApiError, call } from '#web/api.ts'
import { isMemberRole, roleNames } from '#web/people/board-words.ts'
import { nameOf } from '#web/ui/name-of-person.ts'
import { showToast } from '#web/ui/show-toast.tsx'

/**
 * Changes roles from a board. Not an edit of the board: its undo does not reach it, so the change says so itself and can
 * be taken back there.
 */
export function useRoleChange() {
  const queries = useQueryClient()
  const [under, setUnder] = useState<ReadonlyMap<string, MemberRole>>(new Map())
  const [failure, setFailure] = useState<string>()

  async function change(person: DomainPerson, to: MemberRole, undoes = false): Promise<void> {
    const from = person.relation
    if (from === to || under.has(person.id)) return
    setFailure(undefined)
    setUnder((before) => new Map(before).set(person.id, to))
    try {
      await call(people.update, { params: { id: person.id }, body: { relation: to } })
      const back =
        isMemberRole(from) && !undoes ? () => void change({ ...person, relation: to }, from, true) : undefined
      void showToast(
        `Member role updated. ${nameOf(person)} is now ${roleNames[to].toLowerCase()}.`,
        back ? { onUndo: back } : {},
      )
    } catch (reason) {
      const why = reason instanceof ApiError && reason.told ? reason.told : 'The server did not answer.'
      setFailure(`Failed to update member role. ${nameOf(person)} stays ${roleNames[from].toLowerCase()}. ${why}`)
    }
    await queries.invalidateQueries({ queryKey: ['people'] })
    setUnder((before) => new Map([...before].filter(([id]) => id !== person.id)))
  }

  /** The role that is shown: the one being given, until the server has it. */
  const shown = (person: DomainPerson): DomainPerson => {
    const relation = under.get(person.id)
    return relation ? { ...person, relation } : person
  }
  return { shown, change, failure, dismissFailure: () => setFailure(undefined) }
}
