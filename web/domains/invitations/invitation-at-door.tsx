import { lazy, Suspense, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { User } from '#contract/accounts/accounts.ts'
import type { Domain } from '#contract/domains/domains.ts'
import { showToast } from '#web/ui/show-toast.tsx'
import { takeInvitation } from './kept-invitation.ts'

const AnswerInvitation = lazy(() => import('./answer-invitation.tsx'))

interface InvitationAtDoorProps {
  user: User | null
  /** The person's domains; undefined while loading. */
  domains: readonly Domain[] | undefined
}

/** Shows a pending invitation, and a welcome after registering with one (`?domain=…&joined=1`). */
export function InvitationAtDoor({ user, domains }: InvitationAtDoorProps) {
  const [search, setSearch] = useSearchParams()
  const [token, setToken] = useState<string>()
  const brought = search.get('invitation')
  useEffect(() => {
    const taken = takeInvitation()
    if (taken) setToken(taken)
    if (brought !== null) setSearch(without('invitation'), { replace: true })
  }, [brought, setSearch])

  const domainId = search.get('domain')
  const joined = search.has('joined') ? domains?.find(({ id }) => id === domainId)?.name : undefined
  useEffect(() => {
    if (joined === undefined) return
    void showToast(`You’re now a member of ${joined}.`, { kept: true })
    setSearch(without('joined'), { replace: true })
  }, [joined, setSearch])

  if (!token || !user) return null
  return (
    <Suspense fallback={null}>
      <AnswerInvitation token={token} user={user} onClose={() => setToken(undefined)} />
    </Suspense>
  )
}

function without(name: string) {
  return (search: URLSearchParams) => {
    search.delete(name)
    return search
  }
}
