import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PlatformRole } from '#contract/accounts/accounts.ts'
import { administration, type UserWithRoles } from '#contract/administration/administration.ts'
import { call } from '#web/api.ts'
import { failureText, type RoleUserPage, roleUsersKey, usersKey } from '../admin-queries.ts'

export interface RoleChange {
  person: Pick<UserWithRoles, 'id' | 'name' | 'email'>
  role: PlatformRole
  held: boolean
}
export interface FailedChange extends RoleChange {
  text: string
}

const cellOf = ({ person, role }: Pick<RoleChange, 'person' | 'role'>) => `${person.id} ${role}`

/** Saves one tick optimistically and reverts only that one when the server refuses. */
export function useRoleChange() {
  const queries = useQueryClient()
  const [saving, setSaving] = useState<ReadonlySet<string>>(new Set())
  const [failed, setFailed] = useState<FailedChange>()

  function show({ person, role, held }: RoleChange) {
    const shown = (each: UserWithRoles) => {
      if (each.id !== person.id) return each
      const others = each.roles.filter((other) => other !== role)
      return { ...each, roles: held ? [...others, role] : others }
    }
    queries.setQueriesData<InfiniteData<RoleUserPage>>(
      { queryKey: roleUsersKey },
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, users: page.users.map(shown) })) },
    )
  }

  async function change(wanted: RoleChange): Promise<boolean> {
    const cell = cellOf(wanted)
    if (saving.has(cell)) return false
    setFailed(undefined)
    setSaving((before) => new Set(before).add(cell))
    // A list request in flight would overwrite the optimistic change.
    await queries.cancelQueries({ queryKey: roleUsersKey })
    show(wanted)
    try {
      const { person, role, held } = wanted
      const verb = held ? administration.assignRole : administration.removeRole
      const answer = await call(verb, { body: { userId: person.id, roleName: role } })
      show({ ...wanted, held: answer.roles.includes(role) })
      await queries.invalidateQueries({ queryKey: usersKey })
      return true
    } catch (reason) {
      show({ ...wanted, held: !wanted.held })
      setFailed({ ...wanted, text: failureText(reason, 'Failed to update role assignment') })
      return false
    } finally {
      setSaving((before) => new Set([...before].filter((each) => each !== cell)))
    }
  }

  return {
    change,
    failed,
    dismiss: () => setFailed(undefined),
    isSaving: (person: { id: string }, role: PlatformRole) => saving.has(`${person.id} ${role}`),
  }
}
