import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type EmbeddingStatus, memoryCards } from '#contract/keepers/memory-cards.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { Button, RetryButton } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { keeperKey } from '../keeper-queries.ts'

export function EmbeddingPanel({ keeperId, status }: { keeperId: string; status: EmbeddingStatus }) {
  const queryClient = useQueryClient()
  const generateMutation = useMutation({
    mutationKey: [memoryCards.generateEmbeddings.path],
    mutationFn: () => call(memoryCards.generateEmbeddings, { params: { id: keeperId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keeperKey(keeperId) }),
  })
  const { job, pending, model, lexical } = status
  const failure = generateMutation.error ?? (job?.state === 'failed' && pending > 0 ? job.error : null)
  return (
    <section aria-label="Embedding" data-chrome className="mb-6 flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-80 text-small text-muted-foreground">
          {lexical ? (
            <>
              Embedded by Keeper itself, which{' '}
              <strong className="font-medium text-foreground">matches words, not meaning</strong>. With an OpenAI or
              Together{' '}
              <Link to="/root/api-keys" className="underline underline-offset-4">
                API key
              </Link>{' '}
              your cards can be found by meaning.
            </>
          ) : (
            <>
              Your cards are found by meaning, using{' '}
              <span className="font-mono text-[0.92em] wrap-anywhere">{model}</span>. Cards marked “not for AI” are
              never sent.
            </>
          )}
        </p>
        {pending > 0 && job?.state !== 'running' && !failure && (
          <Button
            size="small"
            busy={generateMutation.isPending}
            busyLabel="Starting..."
            onClick={() => generateMutation.mutate()}
          >
            Embed {pluralize(pending, 'card')}
          </Button>
        )}
      </div>
      {job?.state === 'running' && <EmbeddingProgress job={job} />}
      {failure && (
        <Banner
          tone="error"
          action={
            <RetryButton busy={generateMutation.isPending} onClick={() => generateMutation.mutate()}>
              Try again
            </RetryButton>
          }
        >
          Error: {getFailureText(failure)}
        </Banner>
      )}
    </section>
  )
}

function EmbeddingProgress({ job }: { job: NonNullable<EmbeddingStatus['job']> }) {
  const progressText = `${job.done.toLocaleString('en-US')} of ${pluralize(job.total, 'card')}`
  return (
    <div className="flex flex-col gap-1.5">
      <ProgressBar label="Embedding cards" value={job.done} max={job.total} valueText={progressText} />
      <p className="text-small text-muted-foreground">
        Embedding: {progressText}. You can keep working or leave this page.
      </p>
    </div>
  )
}

function getFailureText(failure: Error | string): string {
  if (typeof failure === 'string') return failure
  return getServerMessage(failure) ?? 'Failed to generate embeddings'
}
