import { useEffect, useRef, useState } from 'react'
import { oidc } from '#contract/accounts/oidc.ts'
import { call } from '#web/api/api.ts'
import { AnchorButton } from '#web/ui/controls/button.tsx'
import { storeToast } from '#web/ui/overlays/stored-toast.ts'
import { Banner } from '#web/ui/panels/banner.tsx'
import { AuthHeading } from '../auth-frame.tsx'
import { toAccountFailureText } from '../check-account.ts'
import { redirectAfterSignIn, toSafePath } from '../sign-in-destination.ts'
import { type StartedFlow, storeConnectTicket, storeEndSessionUrl, takeFlow } from './started-flow.ts'

type Outcome = { failure: string } | { connectEmail: string }

const profilePath = '/root/profile'
const unknownFlowText = 'This sign-in has expired or was started in another browser. Start it again.'

/** The provider redirects here. The code in the URL only works with the flow that this browser stored. */
export default function OidcCallback({ onSignedIn }: { onSignedIn: () => void }) {
  const [outcome, setOutcome] = useState<Outcome>()
  const [startedFlow, setStartedFlow] = useState<StartedFlow>()
  const hasRun = useRef(false)
  useEffect(() => {
    // React runs effects twice in development, but the code in the URL works only once.
    if (hasRun.current) return
    hasRun.current = true
    const { search } = location
    history.replaceState(null, '', '/login')
    const flow = takeFlow(new URLSearchParams(search).get('state') ?? '')
    setStartedFlow(flow)
    completeFlow(flow, search, onSignedIn).then(setOutcome, (reason) =>
      setOutcome({ failure: toAccountFailureText(reason) }),
    )
  }, [onSignedIn])

  const { busyText, failedTitle, backHref, backLabel } = describeFlow(startedFlow)
  if (!outcome) return <AuthHeading title="One moment">{busyText}</AuthHeading>
  if ('connectEmail' in outcome)
    return (
      <>
        <AuthHeading title="You have an account">Connect it once to sign in this way from now on.</AuthHeading>
        <Banner tone="info">
          An account with <bdi>{outcome.connectEmail}</bdi> already exists. Sign in to it the way you did before; your
          profile then offers to connect it.
        </Banner>
        <AnchorButton
          href={`/login?connect=&next=${encodeURIComponent(profilePath)}`}
          variant="primary"
          size="large"
          className="mt-4 w-full"
        >
          Sign in to connect
        </AnchorButton>
      </>
    )
  return (
    <>
      <AuthHeading title={failedTitle}>Nothing has changed.</AuthHeading>
      <Banner tone="error">{outcome.failure}</Banner>
      <AnchorButton href={backHref} size="large" className="mt-4 w-full">
        {backLabel}
      </AnchorButton>
    </>
  )
}

function describeFlow(startedFlow: StartedFlow | undefined) {
  if (startedFlow?.purpose === 'link')
    return {
      busyText: 'Connecting your account...',
      failedTitle: 'Not connected',
      backHref: profilePath,
      backLabel: 'Back to your profile',
    }
  if (startedFlow?.purpose === 'prove')
    return {
      busyText: 'Confirming that it’s you...',
      failedTitle: 'Not confirmed',
      backHref: toSafePath(startedFlow.next, location.origin) ?? '/root',
      backLabel: 'Back to where you were',
    }
  return {
    busyText: 'Signing you in...',
    failedTitle: 'Not signed in',
    backHref: '/login',
    backLabel: 'Back to sign in',
  }
}

async function completeFlow(
  startedFlow: StartedFlow | undefined,
  query: string,
  onSignedIn: () => void,
): Promise<Outcome | undefined> {
  if (!startedFlow) return { failure: unknownFlowText }
  const body = { flow: startedFlow.flow, query }
  if (startedFlow.purpose === 'link') {
    await call(oidc.link, { body })
    location.replace(profilePath)
    return undefined
  }
  if (startedFlow.purpose === 'prove') {
    await call(oidc.prove, { body })
    storeToast('Confirmed for 5 minutes. Now repeat what you were doing.')
    location.replace(toSafePath(startedFlow.next, location.origin) ?? '/root')
    return undefined
  }
  const { signedIn, endSessionUrl, connect } = await call(oidc.complete, { body })
  storeEndSessionUrl(endSessionUrl)
  if (connect) {
    storeConnectTicket(connect.ticket)
    return { connectEmail: connect.email }
  }
  onSignedIn()
  redirectAfterSignIn(signedIn, startedFlow.next ?? '/root')
  return undefined
}
