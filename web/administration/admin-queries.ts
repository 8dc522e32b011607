import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { administration, type PlatformUser, type UserWithRoles } from '#contract/administration/administration.ts'
import { type AuditAction, audit } from '#contract/administration/audit.ts'
import { backups } from '#contract/administration/backups.ts'
import { createTextFilter } from '#contract/search/search-query.ts'
import { ApiError, call, callEnvelope } from '#web/api/api.ts'
import { dedupeById } from '#web/api/api-pages.ts'

export const administrationKey = ['administration'] as const
export const roleUsersKey = [...administrationKey, 'role-users'] as const
export const usersKey = [...administrationKey, 'users'] as const
export const auditKey = [...administrationKey, 'audit'] as const

const userPageSize = 100

interface Page<User> {
  users: User[]
  total: number
  next: string | null
}
export type RoleUserPage = Page<UserWithRoles>

/** The list is paginated; `load` reads the page at a cursor. */
const useListPages = <User>(
  queryKey: readonly string[],
  enabled: boolean,
  load: (cursor: { cursor?: string }, signal: AbortSignal) => Promise<ListEnvelope<User>>,
) =>
  useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }): Promise<Page<User>> => {
      const { data, total, next_cursor } = await load({ ...(pageParam && { cursor: pageParam }) }, signal)
      if (!Array.isArray(data)) throw new Error('The list of users can’t be read')
      return { users: data, total: typeof total === 'number' ? total : data.length, next: next_cursor ?? null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    enabled,
  })

interface ListEnvelope<User> {
  data?: User[] | undefined
  total?: unknown
  next_cursor?: string | null | undefined
}

const useRoleUserPages = (search: string, enabled: boolean) =>
  useListPages<UserWithRoles>([...roleUsersKey, search], enabled, (cursor, signal) =>
    callEnvelope(administration.roleUsers, { query: { ...(search && { search }), ...cursor }, signal }),
  )

export const useUserPages = (search: string, enabled: boolean) =>
  useListPages<PlatformUser>([...usersKey, 'pages', search], enabled, (cursor, signal) => {
    const query = { limit: userPageSize, ...(search && { search }), ...cursor }
    return callEnvelope(administration.users, { query, signal })
  })

/** Users loaded so far, and those matching the search: filtered locally once all are loaded, else by the server. */
export function useRoleUsers(search: string) {
  const allPages = useRoleUserPages('', true)
  const searchesOnServer = search !== '' && allPages.hasNextPage
  const searchPages = useRoleUserPages(search, searchesOnServer)
  const isMatch = createTextFilter(search)
  const allUsers = toUsers(allPages.data)
  const pages = searchesOnServer ? searchPages : allPages
  return {
    allUsers,
    matches: searchesOnServer ? toUsers(searchPages.data) : allUsers?.filter(({ name, email }) => isMatch(name, email)),
    nextPages: pages.hasNextPage ? pages : undefined,
    failedPages: pages.isError ? pages : undefined,
  }
}

/** A user renamed between two page requests can be on both pages. */
const toUsers = (data: { pages: RoleUserPage[] } | undefined) =>
  data && dedupeById(data.pages.flatMap(({ users }) => users))

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

export const useAuditPages = (filter: AuditFilter, limit = 50) =>
  useInfiniteQuery({
    queryKey: [...auditKey, filter, limit],
    queryFn: ({ pageParam, signal }) =>
      call(audit.list, { query: { ...filter, limit, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  })

export function toAdminFailureText(reason: unknown, fallback: string): string {
  if (reason instanceof ApiError)
    return reason.serverMessage || (isPlainText(reason.body) ? reason.body.trim() : fallback)
  return reason instanceof Error && reason.message ? reason.message : fallback
}

const maxReasonLength = 300

/** Rejects markup and JSON, which aren't meant for people. */
const isPlainText = (body: string) => body.trim() !== '' && body.length < maxReasonLength && !/^\s*[<{[]/.test(body)

export const backupsKey = [...administrationKey, 'backups'] as const
const runningPollMs = 1_000
const idlePollMs = 20_000

/** Follows a running job, also one that another person or the schedule started. */
export const useBackupOverview = () =>
  useQuery({
    queryKey: backupsKey,
    queryFn: ({ signal }) => call(backups.overview, { signal }),
    refetchInterval: ({ state: { data, error } }) => (data?.running || isRestoring(error) ? runningPollMs : idlePollMs),
  })

export const isRestoring = (error: unknown): boolean => error instanceof ApiError && error.code === 'restoring'

export const restorePreviewKey = (id: string, checkedAt: string | undefined) =>
  [...backupsKey, 'restore', id, checkedAt] as const
