import type { ReactNode } from 'react'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { isGone } from './shared-queries.ts'

interface SharedStateProps {
  title: string
  query: { error: Error | null; isFetching: boolean; refetch: () => unknown }
  /** It stood here a moment ago. */
  wasHere: boolean
  /** Where one may go instead. */
  back: { to: string; label: string }
  /** `keeper`, `journey`, `domain`. */
  what: string
}

/** In place of something that cannot be read: gone, never shared, out of reach, or still on its way. */
export function SharedState({ title, query, wasHere, back, what }: SharedStateProps) {
  const { error, isFetching, refetch } = query
  if (!error)
    return (
      <SkeletonGroup className="flex flex-col gap-5">
        <Skeleton className="h-12 max-w-96" />
        <Skeleton className="h-64" />
      </SkeletonGroup>
    )
  const wayBack = <LinkButton to={back.to}>{back.label}</LinkButton>
  return (
    <>
      <PageHeader title={title} />
      {isGone(error) ? (
        <div role="status">
          <EmptyPanel
            drawing="drawer"
            title={wasHere ? `This ${what} is no longer shared with you` : `This ${what} is not shared with you`}
            action={wayBack}
          >
            {wasHere
              ? 'Whoever shares it took it back, or your role in the domain is another one now. Nothing of yours has changed.'
              : 'It may have been taken back, or it is shared with other roles than yours.'}
          </EmptyPanel>
        </div>
      ) : (
        <ErrorPanel
          reason={error}
          title={error.message}
          onRetry={() => refetch()}
          retrying={isFetching}
          action={wayBack}
        >
          Nothing you wrote is affected.
        </ErrorPanel>
      )}
    </>
  )
}

/** Who keeps what one reads here, and through which domain. */
export function KeptBy({ name, isMe, domainName, children }: KeptByProps) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted-foreground">
      <span>
        {isMe
          ? `Yours, as members read it in ${domainName}.`
          : `Kept by ${name ?? 'somebody without a name'}. You read it in ${domainName}.`}
      </span>
      {children}
    </p>
  )
}
interface KeptByProps {
  name: string | null
  isMe: boolean
  domainName: string
  children?: ReactNode
}
