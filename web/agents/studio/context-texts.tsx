import { useQuery } from '@tanstack/react-query'
import { type ContextText, intent } from '#contract/agents/intent.ts'
import { call } from '#web/api/api.ts'
import { Card } from '#web/ui/panels/card.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { ContextTextForm } from './context-text-form.tsx'
import { contextTextsKey } from './context-texts-key.ts'

const scopeDescriptions: Record<ContextText['scope'], string> = {
  codebase: 'Given to agents with the context scope codebase, such as the Code Agent.',
  platform_wide: 'Given to agents with the context scope platform_wide, such as Kip and the Platform Agent.',
  system: 'Given to agents with the context scope system.',
}

interface ContextTextsProps {
  /** Has `system_configuration`; undefined until known. */
  isPermitted: boolean | undefined
  failure: Error | null
  onRetry: () => unknown
}

export function ContextTexts({ isPermitted, failure, onRetry }: ContextTextsProps) {
  return (
    <section aria-label="Context texts" className="mt-8">
      <h2>Context texts</h2>
      <p className="mt-1 mb-4 max-w-[80ch] text-ui text-muted-foreground">
        An agent’s context scope decides which of these texts it gets, right after its purpose. Each run’s steps show
        what was added.
      </p>
      {isPermitted === false && <p className="text-ui">You need the permission system_configuration for this.</p>}
      {failure && <ContextTextsError reason={failure} onRetry={onRetry} />}
      {isPermitted && <ContextTextList />}
    </section>
  )
}

function ContextTextList() {
  const { data, error, isPending, isFetching, refetch } = useQuery({
    queryKey: contextTextsKey,
    queryFn: ({ signal }) => call(intent.contextTexts, { signal }),
  })
  if (isPending) {
    return (
      <SkeletonGroup label="Loading the texts" className="flex flex-col gap-4">
        <Skeleton className="h-40 rounded-lg" />
        <Skeleton className="h-40 rounded-lg" />
      </SkeletonGroup>
    )
  }
  if (!data) return <ContextTextsError reason={error} onRetry={() => refetch()} retrying={isFetching} />
  return (
    <div className="flex flex-col gap-4">
      {data.map((text) => (
        <Card key={text.scope}>
          <ContextTextForm text={text} help={scopeDescriptions[text.scope]} />
        </Card>
      ))}
    </div>
  )
}

function ContextTextsError(props: { reason: Error; onRetry: () => unknown; retrying?: boolean }) {
  return (
    <ErrorPanel title={`Error loading the texts: ${props.reason.message}`} {...props}>
      The texts aren’t affected.
    </ErrorPanel>
  )
}
