import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { administration, type PlatformUser, type UserWithRoles } from '#contract/administration/administration.ts'
import { type AuditAction, audit } from '#contract/administration/audit.ts'
import { ApiError, call, callEnvelope } from '#web/api.ts'
import { once } from '#web/api-pages.ts'

export const administrationKey = ['administration'] as const
export const roleUsersKey = [...administrationKey, 'role-users'] as const
export const usersKey = [...administrationKey, 'users'] as const
export const auditKey = [...administrationKey, 'audit'] as const

const usersAtOnce = 100

export const useRoles = (enabled: boolean) =>
  useQuery({
    queryKey: [...administrationKey, 'roles'],
    queryFn: ({ signal }) => call(administration.roles, { signal }),
    enabled,
  })

export interface RoleUserPage {
  users: UserWithRoles[]
  next: string | null
}

const useRoleUserPages = (search: string, enabled: boolean) =>
  useInfiniteQuery({
    queryKey: [...roleUsersKey, search],
    queryFn: async ({ pageParam, signal }): Promise<RoleUserPage> => {
      const query = { ...(search && { search }), ...(pageParam && { cursor: pageParam }) }
      const { data, next_cursor } = await callEnvelope(administration.roleUsers, { query, signal })
      if (!Array.isArray(data)) throw new Error('The list of users can’t be read')
      return { users: data, next: next_cursor ?? null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    enabled,
  })

/** Users loaded so far, and those matching the search: filtered locally once all are loaded, else by the server. */
export function useRoleUsers(search: string, enabled: boolean) {
  const everybody = useRoleUserPages('', enabled)
  const tooMany = everybody.hasNextPage
  const searched = useRoleUserPages(search, enabled && tooMany && search !== '')
  const words = search.toLowerCase()
  const fits = (person: { name: string | null; email: string }) =>
    `${person.name ?? ''}\n${person.email}`.toLowerCase().includes(words)
  const all = usersOf(everybody.data)
  const pages = tooMany && search !== '' ? searched : everybody
  return {
    everybody: { ...everybody, data: all },
    found: pages === searched ? usersOf(searched.data) : all?.filter(fits),
    /** Set while more pages can be loaded. */
    rest: pages.hasNextPage ? pages : undefined,
    failed: pages.isError ? pages : undefined,
  }
}

/** A user renamed between two page requests can be on both pages. */
const usersOf = (data: { pages: RoleUserPage[] } | undefined) => data && once(data.pages.flatMap(({ users }) => users))

export interface UserPage {
  users: PlatformUser[]
  total: number
  next: string | null
}

export const useUserPages = (search: string, enabled: boolean) =>
  useInfiniteQuery({
    queryKey: [...usersKey, 'pages', search],
    queryFn: async ({ pageParam, signal }): Promise<UserPage> => {
      const query = { limit: usersAtOnce, ...(search && { search }), ...(pageParam && { cursor: pageParam }) }
      const { data, total, next_cursor } = await callEnvelope(administration.users, { query, signal })
      if (!Array.isArray(data)) throw new Error('The list of users can’t be read')
      return { users: data, total: typeof total === 'number' ? total : data.length, next: next_cursor ?? null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    enabled,
  })

export const userKey = (id: string) => [...usersKey, 'one', id] as const

export const useUser = (id: string) =>
  useQuery({
    queryKey: userKey(id),
    queryFn: ({ signal }) => call(administration.user, { params: { id }, signal }),
  })

export interface AuditFilter {
  userId?: string
  action?: AuditAction
  from?: string
  to?: string
}

export const useAuditPages = (filter: AuditFilter, enabled = true, limit = 50) =>
  useInfiniteQuery({
    queryKey: [...auditKey, filter, limit],
    queryFn: ({ pageParam, signal }) =>
      call(audit.list, { query: { ...filter, limit, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    enabled,
  })

/** The server's message, else its body, else the error's message, else `fallback`. */
export function failureText(reason: unknown, tried: string): string {
  if (reason instanceof ApiError) return reason.told || (isWords(reason.body) ? reason.body.trim() : tried)
  return reason instanceof Error && reason.message ? reason.message : tried
}

/** Markup and JSON aren't shown to people. */
const isWords = (body: string) => body.trim() !== '' && body.length < 300 && !/^\s*[<{[]/.test(body)
