import { ApiError } from '#web/api/api.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { newKeeperPath } from '../keeper-addresses.ts'
import { SampleButton } from '../sample/sample-button.tsx'

interface KeepersLoadErrorProps {
  error: Error
  onRetry: () => void
  retrying: boolean
  className?: string
}

export function KeepersLoadError({ error, onRetry, retrying, className }: KeepersLoadErrorProps) {
  return (
    <ErrorPanel
      title="Failed to load keepers"
      onRetry={onRetry}
      retrying={retrying}
      details={error.message}
      reason={error}
      {...(className && { className })}
    >
      {getFailureReason(error)} Nothing you wrote is affected.
    </ErrorPanel>
  )
}

function getFailureReason(error: Error): string {
  if (error instanceof ApiError) return error.serverMessage ?? 'An error occurred.'
  return error.message || 'An error occurred.'
}

export function NoKeepers() {
  return (
    <EmptyPanel
      drawing="leaf"
      title="The shelf is empty"
      action={
        <span className="flex flex-wrap items-center justify-center gap-2">
          <LinkButton to={newKeeperPath} variant="primary">
            Create your first keeper
          </LinkButton>
          <SampleButton />
        </span>
      }
    >
      A keeper holds one part of your life: a house, a year, a piece of work. What you write in it stays yours.
    </EmptyPanel>
  )
}

export function KeeperListSkeleton() {
  return (
    <SkeletonGroup className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,340px),1fr))] gap-x-8 gap-y-9">
      {[1, 2, 3].map((row) => (
        <span key={row} className="flex gap-[18px]">
          <Skeleton className="h-44 w-33 shrink-0" />
          <span className="flex flex-1 flex-col gap-2.5">
            <Skeleton className="h-6 w-3/4" />
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-4 w-1/2" />
          </span>
        </span>
      ))}
    </SkeletonGroup>
  )
}
