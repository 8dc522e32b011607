import { useQuery } from '@tanstack/react-query'
import { type Ref, useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { changeParams } from '#web/page/use-address-params.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { BackLink, PageHeader } from '#web/ui/panels/page-header.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { type ApiAudience, type ApiCall, findCalls, type OpenApiDocument, readCalls } from './api-calls.ts'
import { CallDetails, MethodBadge } from './call-details.tsx'

const documentPath = '/api/openapi.json'

async function fetchCalls(signal: AbortSignal): Promise<ApiCall[]> {
  const response = await fetch(documentPath, { signal })
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  return readCalls((await response.json()) as OpenApiDocument)
}

const audiences: { value: ApiAudience; label: string }[] = [
  { value: '', label: 'All calls' },
  { value: 'token', label: 'Open to access tokens' },
  { value: 'session', label: 'For people who are signed in' },
  { value: 'permission', label: 'For administrators' },
  { value: 'public', label: 'For anyone' },
]

export function ApiReferencePage() {
  const { isAuthenticated } = useAuth()
  const [params] = useSearchParams()
  const query = useQuery({
    queryKey: ['openapi'],
    queryFn: ({ signal }) => fetchCalls(signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const id = params.get('call')
  const call = query.data?.find((candidate) => candidate.id === id)
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useRef<HTMLElement>(null)
  const previousId = useRef(id)
  useEffect(() => {
    if (previousId.current === id) return
    previousId.current = id
    const target = id === null ? list.current : heading.current
    target?.focus()
    target?.scrollIntoView({ block: 'nearest' })
  }, [id])
  return (
    <>
      <PageHeader
        title="API"
        subtitle={
          <>
            Every call of this Keeper, to read and to try. For tools: the{' '}
            <TextLink href={documentPath}>OpenAPI document</TextLink>. For assistants and editors:{' '}
            <TextLink href="/docs/connecting-programs.md">how to connect a program</TextLink>.
          </>
        }
      />
      <QueryState
        query={query}
        skeleton={<SkeletonRows label="Loading the calls" rowClassName="h-6 w-full" />}
        title="The calls couldn’t be loaded"
      />
      {query.data && (
        <div className="grid grid-cols-[320px_minmax(0,1fr)] items-start gap-8 phone:block">
          <CallList
            ref={list}
            calls={query.data}
            currentId={id}
            className={classNames(id !== null && 'phone:hidden')}
          />
          {id !== null && (
            <div className="min-w-0">
              <BackLink to="/api" size="small" className="-ms-2.5 mb-3 desk:hidden">
                All calls
              </BackLink>
              {call ? (
                <CallDetails call={call} isSignedIn={isAuthenticated} headingRef={heading} />
              ) : (
                <p className="text-ui">There is no call with this name. Choose one from the list.</p>
              )}
            </div>
          )}
          {id === null && <p className="text-ui text-muted-foreground phone:hidden">Choose a call from the list.</p>}
        </div>
      )}
    </>
  )
}

const TextLink = ({ href, children }: { href: string; children: string }) => (
  <a href={href} className="underline underline-offset-[3px]">
    {children}
  </a>
)

interface CallListProps {
  calls: ApiCall[]
  currentId: string | null
  className: string
  ref: Ref<HTMLElement>
}

function CallList({ calls, currentId, className, ref }: CallListProps) {
  const [params] = useSearchParams()
  const [text, setText] = useState('')
  const [audience, setAudience] = useState<ApiAudience>('')
  const matches = findCalls(calls, text, audience)
  const groups = [...Map.groupBy(matches, ({ group }) => group)]
  return (
    <nav
      ref={ref}
      tabIndex={-1}
      aria-label="Calls"
      className={classNames(
        'outline-hidden desk:sticky desk:top-[calc(var(--header-height)+1rem)] desk:max-h-[calc(100dvh-var(--header-height)-2rem)] desk:overflow-y-auto desk:pe-2',
        className,
      )}
    >
      <div className="grid gap-2">
        <SearchField label="Search calls" value={text} onValueChange={setText} />
        <SelectField
          label="Which calls"
          labelHidden
          options={audiences}
          value={audience}
          onChange={(event) => setAudience(event.currentTarget.value as ApiAudience)}
        />
      </div>
      <p role="status" className="mt-2 text-small text-muted-foreground">
        {pluralize(matches.length, 'call')}
      </p>
      {groups.map(([group, members]) => (
        <section key={group} aria-label={group} className="mt-4">
          <h2 className="font-sans tracking-normal text-ui font-label">{group}</h2>
          <ul className="mt-1">
            {members.map((call) => (
              <li key={call.id}>
                <Link
                  to={`/api?${changeParams(params, { call: call.id })}`}
                  aria-current={call.id === currentId ? 'true' : undefined}
                  className="flex items-start gap-2 rounded-sm px-1.5 py-1 text-small hover:bg-fill aria-[current=true]:bg-secondary phone:py-2"
                >
                  <span className="w-[3.75rem] shrink-0">
                    <MethodBadge method={call.method} />
                  </span>
                  <span className="min-w-0 wrap-anywhere">
                    {call.summary}
                    <code className="block font-mono text-muted-foreground">{call.path}</code>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}
