import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, Plus } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate, useSearchParams } from 'react-router'
import { type Journey, journeys } from '#contract/keepers/journeys.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { fetchFile, isNotFound } from '#web/api/api.ts'
import { saveFile } from '#web/files/save-file.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { PrintButton } from '#web/ui/controls/print-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Card } from '#web/ui/panels/card.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { BackLink } from '#web/ui/panels/page-header.tsx'
import { WrittenText } from '#web/ui/text/written-text.tsx'
import { KeeperFrame } from '../keeper-frame.tsx'
import { keeperKey } from '../keeper-queries.ts'
import { QueuedChangesNote } from '../list-end.tsx'
import { useAttempt } from '../use-attempt.tsx'
import { JourneyForm } from './journey-form.tsx'
import { JourneyList } from './journey-list.tsx'
import { getJourneyPagePath, useJourney, useJourneys } from './journey-queries.ts'
import { JourneyView } from './journey-view.tsx'

export function JourneysPage() {
  return <KeeperFrame pageName="Journeys">{(keeper) => <Journeys key={keeper.id} keeper={keeper} />}</KeeperFrame>
}

function Journeys({ keeper }: { keeper: Keeper }) {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const query = useJourneys(keeper)
  const { data: allJourneys } = query
  const [isCreating, setIsCreating] = useState(false)
  const chosenId = params.get('journey') ?? undefined
  const openId = chosenId ?? allJourneys?.[0]?.id

  if (!allJourneys) return <QueryStatus query={query} skeletonClassName="h-72" />
  const newButton = (
    <Button
      variant={allJourneys.length === 0 ? 'primary' : 'outline'}
      icon={<Plus aria-hidden size={15} />}
      onClick={() => setIsCreating(true)}
    >
      New journey
    </Button>
  )
  if (chosenId && params.get('view') === 'story') return <OpenJourney keeper={keeper} id={chosenId} showsStory />
  return (
    <>
      <QueuedChangesNote keeperId={keeper.id} kinds={['Journey', 'Path']} />
      {allJourneys.length === 0 ? (
        <EmptyPanel drawing="path" title="No journeys yet" action={newButton}>
          Moments that belong together become a road you can walk back along.
        </EmptyPanel>
      ) : (
        <div className="grid grid-cols-[17rem_minmax(0,1fr)] items-start gap-8 phone:grid-cols-1">
          <div data-chrome className={classNames('flex flex-col gap-5', chosenId && 'phone:hidden')}>
            {newButton}
            <JourneyList journeys={allJourneys} openId={openId} />
          </div>
          <div className={classNames('min-w-0', !chosenId && 'phone:hidden')}>
            {openId && <OpenJourney key={openId} keeper={keeper} id={openId} />}
          </div>
        </div>
      )}
      {isCreating && (
        <JourneyForm
          keeperId={keeper.id}
          onSaved={(id) => void navigate(getJourneyPagePath(id))}
          onClose={() => setIsCreating(false)}
        />
      )}
    </>
  )
}

function OpenJourney({ keeper, id, showsStory = false }: { keeper: Keeper; id: string; showsStory?: boolean }) {
  const queryClient = useQueryClient()
  const [isDeleting, setIsDeleting] = useState(false)
  const query = useJourney(keeper, id, isDeleting)
  const { data: journey } = query
  // Synchronous, because the deletion event refetches all visible queries.
  function handleDeletingChange(isNowDeleting: boolean) {
    flushSync(() => setIsDeleting(isNowDeleting))
    if (isNowDeleting) void queryClient.cancelQueries({ queryKey: keeperKey(keeper.id, 'journey', id) })
  }
  if (journey && showsStory) return <StoryView journey={journey} />
  if (journey)
    return (
      <JourneyView
        key={journey.id}
        keeper={keeper}
        journey={journey}
        onDeletingChange={handleDeletingChange}
        onChanged={() => queryClient.invalidateQueries({ queryKey: keeperKey(keeper.id) })}
      />
    )
  if (isNotFound(query.error))
    return (
      <EmptyPanel drawing="path" title="Journey not found" action={<LinkButton to="?">All journeys</LinkButton>}>
        This journey was deleted or is in another keeper.
      </EmptyPanel>
    )
  return <QueryStatus query={query} skeletonClassName="h-96" />
}

function StoryView({ journey }: { journey: Journey }) {
  const { attempt, banner } = useAttempt('mb-4')
  const result = useQuery({
    queryKey: keeperKey(journey.keeperId, 'journey', journey.id, 'story'),
    queryFn: async ({ signal }) => {
      const { blob } = await fetchFile(journeys.story, { params: { id: journey.id }, query: { format: 'md' }, signal })
      return blob.text()
    },
  })
  const { data: storyText } = result

  const download = (format: 'md' | 'html') =>
    attempt(async () => {
      const { blob, name } = await fetchFile(journeys.story, { params: { id: journey.id }, query: { format } })
      saveFile(blob, name ?? `journey.${format}`)
    })
  const reportCopyFailure = () => attempt(() => Promise.reject(new Error('Failed to copy to clipboard')))

  return (
    <>
      <div data-chrome className="mb-4 flex flex-wrap items-center gap-2">
        <BackLink to={getJourneyPagePath(journey.id)}>Back to the journey</BackLink>
        <span className="flex-1" />
        {storyText !== undefined && (
          <>
            <CopyButton text={storyText} size="medium" onCopyFailed={reportCopyFailure}>
              Copy
            </CopyButton>
            <Button icon={<Download aria-hidden size={14} />} onClick={() => void download('md')}>
              Markdown
            </Button>
            {!isDemoKeeper(journey.keeperId) && (
              <Button icon={<Download aria-hidden size={14} />} onClick={() => void download('html')}>
                HTML
              </Button>
            )}
            <PrintButton variant="primary" />
          </>
        )}
      </div>
      {banner}
      <QueryStatus query={result} skeletonClassName="h-96" />
      {storyText !== undefined && (
        <Card
          kind="paper"
          padded={false}
          className="mx-auto max-w-[46rem] px-12 py-10 font-serif text-read phone:px-5 phone:py-6"
        >
          <article aria-label={`The story of ${journey.title}`}>
            <WrittenText text={storyText} />
          </article>
        </Card>
      )}
    </>
  )
}
