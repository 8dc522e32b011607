import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { type OidcIdentity, oidc } from '#contract/accounts/oidc.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { toAccountFailureText } from '../check-account.ts'
import { clearConnectTicket, readConnectTicket, storeFlow } from './started-flow.ts'

const identitiesKey = ['own-account', 'identities']

/** Shown only where a provider is set up, or an identity is connected. */
export function IdentitiesSection() {
  const queryClient = useQueryClient()
  const { data } = useQuery({ queryKey: identitiesKey, queryFn: ({ signal }) => call(oidc.identities, { signal }) })
  const [ticket, setTicket] = useState(readConnectTicket)
  const refetch = () => queryClient.invalidateQueries({ queryKey: identitiesKey })
  const start = useMutation({
    async mutationFn() {
      const { origin } = await call(oidc.provider)
      if (origin && origin !== location.origin) return location.assign(`${origin}/root/profile`)
      const { url, state, flow } = await call(oidc.startLink)
      storeFlow(state, { purpose: 'link', flow })
      location.assign(url)
    },
  })
  const connect = useMutation({
    mutationFn: (connectTicket: string) => call(oidc.connect, { body: { ticket: connectTicket } }),
    onSettled() {
      clearConnectTicket()
      setTicket(null)
      return refetch()
    },
  })
  const unlink = useMutation({
    mutationFn: ({ id }: OidcIdentity) => call(oidc.unlink, { params: { id } }),
    onSettled: refetch,
  })
  if (!data || (data.label === null && data.items.length === 0)) return null
  const failure = start.error ?? connect.error ?? unlink.error
  return (
    <Section
      title="Single sign-on"
      help="Sign in with an account that you have elsewhere."
      className="border-t! pt-[30px]!"
    >
      {failure && <Banner tone="error">{toAccountFailureText(failure)}</Banner>}
      {connect.isSuccess && <Banner tone="success">Connected. You can sign in with it from now on.</Banner>}
      {ticket && data.label && (
        <Banner
          tone="info"
          action={
            <Button size="small" busy={connect.isPending} onClick={() => connect.mutate(ticket)}>
              Connect
            </Button>
          }
        >
          Connect <bdi>{data.label}</bdi> to this account?
        </Banner>
      )}
      {data.items.length > 0 && (
        <ul className="border-y border-border">
          {data.items.map((identity) => (
            <li
              key={identity.id}
              data-item
              className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b border-hairline py-2.5 last:border-b-0"
            >
              <KeyRound aria-hidden size={18} className="shrink-0 text-muted-foreground" />
              <span className="min-w-0 flex-1 basis-48">
                <span className="block wrap-break-word font-medium">{identity.issuer}</span>
                <span className="block text-small text-muted-foreground">
                  Since <Time value={identity.createdAt} />
                  {identity.lastUsedAt ? (
                    <>
                      , last used <Time value={identity.lastUsedAt} timeStyle="date-time" />
                    </>
                  ) : (
                    ', not used yet'
                  )}
                </span>
              </span>
              <Button
                size="small"
                aria-label={`Disconnect ${identity.issuer}`}
                busy={unlink.isPending && unlink.variables.id === identity.id}
                busyLabel="Disconnecting..."
                onClick={() => unlink.mutate(identity)}
              >
                Disconnect
              </Button>
            </li>
          ))}
        </ul>
      )}
      {data.label !== null && (
        <div>
          <Button busy={start.isPending} busyLabel="Opening..." onClick={() => start.mutate()}>
            <span className="truncate" dir="auto">
              Connect {data.label}
            </span>
          </Button>
        </div>
      )}
    </Section>
  )
}
