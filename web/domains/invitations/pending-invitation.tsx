import { lazy, Suspense, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { User } from '#contract/accounts/accounts.ts'
import type { Domain } from '#contract/domains/domains.ts'
import { showToast } from '#web/ui/show-toast.tsx'
import { storeInvitationFromUrl } from './stored-invitation.ts'

const AnswerInvitation = lazy(() => import('./answer-invitation.tsx'))

interface PendingInvitationProps {
  user: User | null
  domains: readonly Domain[] | undefined
}

export function PendingInvitation({ user, domains }: PendingInvitationProps) {
  const [search, setSearch] = useSearchParams()
  const [token, setToken] = useState<string>()
  const tokenInUrl = search.get('invitation')
  useEffect(() => {
    const taken = storeInvitationFromUrl()
    if (taken) setToken(taken)
    if (tokenInUrl !== null) setSearch(removeParam('invitation'), { replace: true })
  }, [tokenInUrl, setSearch])

  const domainId = search.get('domain')
  const joined = search.has('joined') ? domains?.find(({ id }) => id === domainId)?.name : undefined
  useEffect(() => {
    if (joined === undefined) return
    void showToast(`You’re now a member of ${joined}.`, { dropsRibbon: true })
    setSearch(removeParam('joined'), { replace: true })
  }, [joined, setSearch])

  if (!token || !user) return null
  return (
    <Suspense fallback={null}>
      <AnswerInvitation token={token} user={user} onClose={() => setToken(undefined)} />
    </Suspense>
  )
}

function removeParam(name: string) {
  return (search: URLSearchParams) => {
    search.delete(name)
    return search
  }
}
