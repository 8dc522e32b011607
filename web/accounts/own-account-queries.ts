import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type AccountDeletion, ownAccount } from '#contract/accounts/own-account.ts'
import { call } from '#web/api.ts'

export const ownSessionsKey = ['own-account', 'sessions']
const deletionKey = ['own-account', 'deletion']

export function useOwnSessions() {
  return useQuery({ queryKey: ownSessionsKey, queryFn: ({ signal }) => call(ownAccount.sessions, { signal }) })
}

export function useDeletion() {
  return useQuery({
    queryKey: deletionKey,
    queryFn: ({ signal }) => call(ownAccount.deletion, { signal }),
    // Whether deletion is allowed depends on other people's roles.
    refetchOnMount: 'always',
  })
}

export function useOwnStorage() {
  return useQuery({
    queryKey: ['own-account', 'storage'],
    queryFn: ({ signal }) => call(ownAccount.storage, { signal }),
    refetchOnMount: 'always',
  })
}

export function useShowDeletion(): (said: AccountDeletion) => void {
  const queries = useQueryClient()
  return (said) => {
    queries.setQueryData(deletionKey, said)
    queries.invalidateQueries({ queryKey: ['session'] })
    queries.invalidateQueries({ queryKey: ownSessionsKey })
  }
}
