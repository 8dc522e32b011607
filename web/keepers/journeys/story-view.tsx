import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Download } from 'lucide-react'
import { useState } from 'react'
import { type Journey, journeys } from '#contract/keepers/journeys.ts'
import { fetchFile } from '#web/api/api.ts'
import { saveFile } from '#web/files/save-file.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { PrintButton } from '#web/ui/controls/print-button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { WrittenText } from '#web/ui/text/written-text.tsx'
import { keeperKey } from '../keeper-queries.ts'
import { getJourneyPagePath } from './journey-addresses.ts'

interface StoryViewProps {
  journey: Journey
  demo: boolean
}

export function StoryView({ journey, demo }: StoryViewProps) {
  const [errorMessage, setErrorMessage] = useState<string>()
  const { data, error, refetch, isRefetching } = useQuery({
    queryKey: keeperKey(journey.keeperId, 'journey', journey.id, 'story'),
    queryFn: async ({ signal }) => {
      const { blob } = await fetchFile(journeys.story, { params: { id: journey.id }, query: { format: 'md' }, signal })
      return blob.text()
    },
  })

  async function download(format: 'md' | 'html') {
    setErrorMessage(undefined)
    try {
      const { blob, name } = await fetchFile(journeys.story, { params: { id: journey.id }, query: { format } })
      saveFile(blob, name ?? `journey.${format}`)
    } catch (reason) {
      setErrorMessage(reason instanceof Error ? reason.message : String(reason))
    }
  }

  return (
    <>
      <div data-chrome className="mb-4 flex flex-wrap items-center gap-2">
        <LinkButton to={getJourneyPagePath(journey.id)} variant="plain" icon={<ArrowLeft aria-hidden size={15} />}>
          Back to the journey
        </LinkButton>
        <span className="flex-1" />
        {data !== undefined && (
          <>
            <CopyButton text={data} size="medium" onCopyFailed={() => setErrorMessage('Failed to copy to clipboard')}>
              Copy
            </CopyButton>
            <Button icon={<Download aria-hidden size={14} />} onClick={() => void download('md')}>
              Markdown
            </Button>
            {!demo && (
              <Button icon={<Download aria-hidden size={14} />} onClick={() => void download('html')}>
                HTML
              </Button>
            )}
            <PrintButton variant="primary" />
          </>
        )}
      </div>
      {errorMessage && (
        <Banner tone="error" className="mb-4" onDismiss={() => setErrorMessage(undefined)}>
          {errorMessage}
        </Banner>
      )}
      {error && !data && (
        <ErrorPanel reason={error} title={error.message} onRetry={() => refetch()} retrying={isRefetching}>
          Nothing you wrote is affected.
        </ErrorPanel>
      )}
      {data === undefined && !error && (
        <SkeletonGroup>
          <Skeleton className="h-96" />
        </SkeletonGroup>
      )}
      {data !== undefined && (
        <Card
          kind="paper"
          padded={false}
          className="mx-auto max-w-[46rem] px-12 py-10 font-serif text-read phone:px-5 phone:py-6"
        >
          <article aria-label={`The story of ${journey.title}`}>
            <WrittenText text={data} />
          </article>
        </Card>
      )}
    </>
  )
}
