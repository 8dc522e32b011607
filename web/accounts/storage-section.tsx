import type { OwnStorage } from '#contract/accounts/own-account.ts'
import { counted } from '#web/ui/counted.ts'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { formatSize } from '#web/ui/format-size.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { Section } from '#web/ui/section.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { useOwnStorage } from './own-account-queries.ts'

/** How much room one's pictures and recordings take, so that nobody hears of it only when they are refused. */
export function StorageSection() {
  const { data: storage, error, isPending, refetch, isRefetching } = useOwnStorage()
  return (
    <Section title="Pictures and recordings" help="What you write is not counted.">
      {isPending && (
        <SkeletonGroup>
          <Skeleton className="h-10" />
        </SkeletonGroup>
      )}
      {error && !storage && (
        <ErrorPanel
          reason={error}
          title="Your pictures and recordings could not be counted"
          onRetry={() => refetch()}
          retrying={isRefetching}
        />
      )}
      {storage && <Room {...storage} />}
    </Section>
  )
}

function Room({ files, bytes, mostBytes }: OwnStorage) {
  const taken = `${counted(files, 'file')} ${files === 1 ? 'takes' : 'take'} ${formatSize(bytes)}`
  if (mostBytes === null)
    return <p className="text-muted-foreground">{files === 0 ? 'You keep none yet.' : `${taken}.`}</p>
  const most = formatSize(mostBytes)
  const isNearlyFull = bytes / mostBytes > 0.9
  return (
    <>
      <p className="text-muted-foreground">
        {files === 0 ? `You keep none yet. There is room for ${most}.` : `${taken} of your ${most}.`}
        {isNearlyFull && ' Delete some, or ask whoever runs this Keeper for more room.'}
      </p>
      <ProgressBar
        label="Room taken by your pictures and recordings"
        value={Math.round((bytes / mostBytes) * 100)}
        tone={isNearlyFull ? 'warning' : 'ribbon'}
        className="w-full max-w-80"
      />
    </>
  )
}
