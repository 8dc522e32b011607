import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { getMetadataPath } from '../keeper-addresses.ts'
import { getPatternLabel, hasStandingStory } from '../keeper-labels.ts'
import { CurrentSole } from './current-sole.tsx'
import { WriteDraft } from './draft-editor.tsx'
import { PendingDraft } from './pending-draft.tsx'
import { RequestDraft } from './request-draft.tsx'
import { ReviewNotice } from './review-inbox.tsx'
import { SoleHistory } from './sole-history.tsx'
import { SoleReviewers } from './sole-reviewers.tsx'
import { useSole } from './use-sole.ts'

const PatternSections = lazy(() =>
  import('./pattern-sections.tsx').then((module) => ({ default: module.PatternSections })),
)

export function SolePanel({ keeper }: { keeper: Keeper }) {
  return hasStandingStory(keeper) ? <ActiveSolePanel keeper={keeper} /> : <InactiveSolePanel keeper={keeper} />
}

function ActiveSolePanel({ keeper }: { keeper: Keeper }) {
  const [query] = useSearchParams()
  const { sole, error, isPending, refetch, isRefetching, isLoaded } = useSole(keeper.id)
  const { draft, active, backend, demo, refresh } = sole
  const openVersion = Number(query.get('version')) || undefined
  const [createdVersion, setCreatedVersion] = useState<number>()
  return (
    <div className="grid gap-x-10 gap-y-9 desk:grid-cols-[minmax(0,1fr)_270px]">
      <div className="min-w-0">
        {isPending && (
          <SkeletonGroup className="flex flex-col gap-4">
            <Skeleton className="h-40" />
            <Skeleton className="h-64" />
          </SkeletonGroup>
        )}
        {!isLoaded && error && (
          <ErrorPanel reason={error} title={error.message} onRetry={() => refetch()} retrying={isRefetching}>
            Nothing was changed.
          </ErrorPanel>
        )}
        {isLoaded && (
          <>
            {draft && (
              <section aria-label="Pending draft" className="mb-9">
                <PendingDraft
                  key={draft.version}
                  draft={draft}
                  active={active}
                  backend={backend}
                  demo={demo}
                  canOpen={!demo}
                  isNew={draft.version === createdVersion}
                  onDecided={refresh}
                />
              </section>
            )}
            <section aria-labelledby="current-sole">
              <h2 id="current-sole" className="mb-3">
                Current SOLE Architecture
              </h2>
              <CurrentSole active={active} canOpen={!demo} />
            </section>
            <SoleHistory sole={sole} openVersion={openVersion} />
          </>
        )}
      </div>
      <aside className="flex min-w-0 flex-col gap-8" data-chrome>
        {demo && (
          <p className="text-ui text-muted-foreground">
            This is a sample. You can approve, reject and restore; the sample resets when you come back.
          </p>
        )}
        {!demo && <ReviewNotice />}
        <RequestDraft sole={sole} onCreated={setCreatedVersion} />
        <WriteDraft sole={sole} onCreated={setCreatedVersion} />
        {!demo && <SoleReviewers keeperId={keeper.id} />}
        <PatternNote />
      </aside>
    </div>
  )
}

function InactiveSolePanel({ keeper }: { keeper: Keeper }) {
  return (
    <>
      <EmptyPanel
        drawing="seal"
        title="SOLE Memory Pattern Not Active"
        action={<LinkButton to={getMetadataPath(keeper.id)}>Open keeper metadata</LinkButton>}
      >
        {keeper.memoryPattern === ''
          ? 'This keeper has no memory pattern.'
          : `This keeper uses the pattern ${getPatternLabel(keeper.memoryPattern)}, which has no standing story.`}{' '}
        To give this keeper a story, choose SOLE or another pattern with a story on its metadata page. The keeper’s
        content is shown below.
      </EmptyPanel>
      <Suspense fallback={<Skeleton className="mt-9 h-64" />}>
        <PatternSections keeper={keeper} />
      </Suspense>
    </>
  )
}
function PatternNote() {
  return (
    <section aria-labelledby="about-sole" className="text-ui">
      <h2 id="about-sole" className="mb-2 text-[17px]">
        About the SOLE pattern
      </h2>
      <div className="flex flex-col gap-2 text-muted-foreground">
        <p>A SOLE is the one standing story of this keeper, told in single statements.</p>
        <p>
          An agent drafts it from your memory cards and quotes them letter for letter. A draft with a quote that isn’t
          in its card is refused.
        </p>
        <p>
          A draft has no effect until you approve it. From then on, agents of this keeper’s type read the approved
          statements and nothing else in the SOLE.
        </p>
        <p>Every version is kept with its decision and reason, and can be restored.</p>
      </div>
    </section>
  )
}
