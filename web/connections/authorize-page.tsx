import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { oauth } from '#contract/connections/oauth.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import {
  blankConsent,
  ConsentFields,
  type ConsentValues,
  findConsentProblems,
  toConsentBody,
} from './consent-fields.tsx'

type AccessRequest = EndpointOutput<typeof oauth.describe>

/** The OAuth consent page, to which a program sends people. */
export function AuthorizePage() {
  const [params] = useSearchParams()
  const getParam = (name: string) => params.get(name) ?? undefined
  const query = {
    client_id: getParam('client_id') ?? '',
    redirect_uri: getParam('redirect_uri') ?? '',
    scope: getParam('scope'),
    resource: getParam('resource'),
    state: getParam('state'),
  }
  const isComplete = query.client_id !== '' && query.redirect_uri !== ''
  const request = useQuery({
    queryKey: ['oauth', params.toString()],
    queryFn: ({ signal }) => call(oauth.describe, { query, signal }),
    retry: false,
    enabled: isComplete,
    staleTime: Infinity,
  })
  return (
    <>
      <PageHeader title="Connect a program" />
      {!isComplete && (
        <EmptyPanel
          drawing="seal"
          title="This link doesn’t name a program"
          action={<LinkButton to="/root/api-keys">Connected programs</LinkButton>}
        >
          Programs that ask for access to your memory open this page.
        </EmptyPanel>
      )}
      {isComplete && (
        <QueryState
          query={request}
          skeleton={<SkeletonRows label="Loading the request" rowClassName="h-24 w-full" />}
          title="This program can’t be connected"
        >
          {getServerMessage(request.error)}
        </QueryState>
      )}
      {request.data && <ConsentForm request={request.data} params={params} />}
    </>
  )
}

function ConsentForm({ request, params }: { request: AccessRequest; params: URLSearchParams }) {
  const { name, redirectHost, isLocal, keepers, refusalUrl } = request
  const initial: ConsentValues = { ...blankConsent, scopes: request.scopes }
  // A link that asks for other scopes must not restore scopes that it doesn't ask for.
  const draftKey = `consent/${params.get('client_id')}/${request.scopes.join('+')}`
  const { value: consent, set: setConsent, clear } = useDraft(draftKey, initial)
  const { scopes, keeperIds, topics } = consent
  const problems = findConsentProblems(consent)
  const allow = useMutation({
    mutationFn: () =>
      call(oauth.consent, {
        body: {
          client_id: params.get('client_id') ?? '',
          redirect_uri: params.get('redirect_uri') ?? '',
          resource: params.get('resource') ?? undefined,
          state: params.get('state') ?? undefined,
          code_challenge: params.get('code_challenge') ?? '',
          code_challenge_method: (params.get('code_challenge_method') ?? '') as 'S256',
          scopes,
          ...toConsentBody(consent),
        },
      }),
    onSuccess: ({ redirectUrl }) => leaveTo(redirectUrl),
  })
  function leaveTo(url: string) {
    clear()
    window.location.assign(url)
  }
  const readableKeepers = keepers.filter(({ id }) => keeperIds?.includes(id) ?? true)
  const countReadable = (kind: 'cards' | 'moments') =>
    readableKeepers.reduce((total, keeper) => total + keeper[kind], 0)
  return (
    <form
      className="grid max-w-[560px] gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        allow.mutate()
      }}
    >
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        asks for access to your memory. After that, you’ll go to <strong>{redirectHost}</strong>.
      </p>
      {isLocal && (
        <Banner tone="warning">
          This program runs on your computer, where any program could use this name. Continue only if you’ve just
          started it.
        </Banner>
      )}
      <ConsentFields
        values={consent}
        onChange={(changes) => setConsent({ ...consent, ...changes })}
        keepers={keepers}
        offeredScopes={request.scopes}
        errors={problems}
      />
      {scopes.includes('read:memory') && (
        <p role="status" className="text-ui text-muted-foreground">
          If you allow this, the program can read {pluralize(countReadable('cards'), 'memory card')} and{' '}
          {pluralize(countReadable('moments'), 'moment')}
          {topics.length > 0 && ', but only those with these topics'}. Keeper lists every item it reads for you.
        </p>
      )}
      {allow.error && <Banner tone="error">{getServerMessage(allow.error) ?? 'Access couldn’t be granted.'}</Banner>}
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant="primary"
          busy={allow.isPending || allow.isSuccess}
          busyLabel="Connecting..."
          disabled={Object.keys(problems).length > 0}
        >
          Allow
        </Button>
        <Button disabled={allow.isPending} onClick={() => leaveTo(refusalUrl)}>
          Refuse
        </Button>
      </div>
    </form>
  )
}
