import { useState } from 'react'
import { oidc } from '#contract/accounts/oidc.ts'
import { call } from '#web/api/api.ts'
import { AnchorButton, Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { toAccountFailureText } from '../check-account.ts'
import { getSafeNext } from '../sign-in-destination.ts'
import { readEndSessionUrl, storeEndSessionUrl, storeFlow } from './started-flow.ts'
import type { OidcProvider } from './use-oidc-provider.ts'

interface OidcSignInProps {
  provider: OidcProvider
  /** The token of an invitation that the person follows. */
  getInvitation: () => string | undefined
}

/** Below the form: signs in at the identity provider of this server. */
export default function OidcSignIn({ provider, getInvitation }: OidcSignInProps) {
  const { label, problem, origin } = provider
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [endSessionUrl, setEndSessionUrl] = useState(readEndSessionUrl)

  async function start() {
    setBusy(true)
    try {
      const { url, state, flow } = await call(oidc.start, { body: { invitationToken: getInvitation() } })
      storeFlow(state, { purpose: 'sign-in', flow, next: getSafeNext(location.search, location.origin) })
      location.assign(url)
    } catch (reason) {
      setFailure(toAccountFailureText(reason))
      setBusy(false)
    }
  }

  if (problem) return <p className="mt-5 text-ui text-muted-foreground">{problem}</p>
  const isOtherOrigin = origin !== null && origin !== location.origin
  return (
    <div className="mt-5 flex flex-col gap-3 border-t border-border pt-5">
      {failure && <Banner tone="error">{failure}</Banner>}
      {isOtherOrigin ? (
        <AnchorButton href={`${origin}/login${location.search}`} size="large" className="w-full">
          <ButtonLabel label={label} />
        </AnchorButton>
      ) : (
        <Button size="large" className="w-full" busy={busy} busyLabel="Opening..." onClick={start}>
          <ButtonLabel label={label} />
        </Button>
      )}
      {endSessionUrl && (
        <p className="text-ui text-muted-foreground">
          You’re still signed in there.{' '}
          <a
            href={endSessionUrl}
            className="rounded-xs underline underline-offset-[3px] hover:text-foreground"
            onClick={() => {
              storeEndSessionUrl(null)
              setEndSessionUrl(null)
            }}
          >
            Sign out there, too
          </a>
        </p>
      )}
    </div>
  )
}

function ButtonLabel({ label }: { label: string | null }) {
  return (
    <span className="truncate" dir="auto">
      Sign in with {label}
    </span>
  )
}
