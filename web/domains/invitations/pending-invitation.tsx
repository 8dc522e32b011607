import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { User } from '#contract/accounts/accounts.ts'
import type { Domain } from '#contract/domains/domains.ts'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { storeInvitationFromUrl } from './stored-invitation.ts'

const AnswerInvitation = lazyComponent(async () => (await import('./answer-invitation.tsx')).default)

interface PendingInvitationProps {
  user: User | null
  domains: readonly Domain[] | undefined
}

export function PendingInvitation({ user, domains }: PendingInvitationProps) {
  const [search, setSearch] = useSearchParams()
  const [token, setToken] = useState<string>()
  const tokenInUrl = search.get('invitation')
  useEffect(() => {
    const storedToken = storeInvitationFromUrl()
    if (storedToken) setToken(storedToken)
    if (tokenInUrl !== null) setSearch(removeParam('invitation'), { replace: true })
  }, [tokenInUrl, setSearch])

  const domainId = search.get('domain')
  const joinedDomainName = search.has('joined') ? domains?.find(({ id }) => id === domainId)?.name : undefined
  useEffect(() => {
    if (joinedDomainName === undefined) return
    void showToast(withNames`You’re now a member of ${joinedDomainName}.`, { dropsRibbon: true })
    setSearch(removeParam('joined'), { replace: true })
  }, [joinedDomainName, setSearch])

  if (!token || !user) return null
  return <AnswerInvitation token={token} user={user} onClose={() => setToken(undefined)} />
}

function removeParam(name: string) {
  return (search: URLSearchParams) => {
    search.delete(name)
    return search
  }
}
