import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type AccountDeletion, ownAccount } from '#contract/accounts/own-account.ts'
import { call } from '#web/api/api.ts'

export const accountSessionsKey = ['own-account', 'sessions']
export const deletionKey = ['own-account', 'deletion']

export function useAccountSessions() {
  return useQuery({ queryKey: accountSessionsKey, queryFn: ({ signal }) => call(ownAccount.sessions, { signal }) })
}

export function useDeletion() {
  return useQuery({
    queryKey: deletionKey,
    queryFn: ({ signal }) => call(ownAccount.deletion, { signal }),
    // Whether deletion is allowed depends on other people's roles.
    refetchOnMount: 'always',
  })
}

export function useAccountStorage() {
  return useQuery({
    queryKey: ['own-account', 'storage'],
    queryFn: ({ signal }) => call(ownAccount.storage, { signal }),
    refetchOnMount: 'always',
  })
}

export function useSetDeletion(): (deletion: AccountDeletion) => void {
  const queryClient = useQueryClient()
  return (deletion) => {
    queryClient.setQueryData(deletionKey, deletion)
    queryClient.invalidateQueries({ queryKey: ['session'] })
    queryClient.invalidateQueries({ queryKey: accountSessionsKey })
  }
}
