import type { StorageUsage } from '#contract/accounts/own-account.ts'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { formatSize } from '#web/ui/text/format-size.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { useAccountStorage } from './account-queries.ts'

export function StorageSection() {
  const { data: storage, error, isPending, refetch, isRefetching } = useAccountStorage()
  return (
    <Section title="Storage" help="Files and texts have separate limits.">
      {isPending && (
        <SkeletonGroup>
          <Skeleton className="h-24" />
        </SkeletonGroup>
      )}
      {error && !storage && (
        <ErrorPanel
          reason={error}
          title="Your storage couldn’t be loaded"
          onRetry={() => refetch()}
          retrying={isRefetching}
        />
      )}
      {storage && (
        <>
          <FileUsage {...storage} />
          <TextUsage {...storage.texts} />
        </>
      )}
    </Section>
  )
}

function FileUsage({ files, bytes, mostBytes: maxBytes }: StorageUsage) {
  const amount = files === 0 ? 'None yet' : `${pluralize(files, 'file')}, ${formatSize(bytes)}`
  return (
    <Usage
      title="Pictures and recordings"
      text={maxBytes === null ? `${amount}.` : `${amount} of ${formatSize(maxBytes)}.`}
      share={maxBytes === null ? null : bytes / maxBytes}
    />
  )
}

/** The bar shows the limit that is closer to being reached. */
function TextUsage({ rows, bytes, maxRows, maxBytes }: StorageUsage['texts']) {
  const byteShare = maxBytes === null ? 0 : bytes / maxBytes
  const rowShare = maxRows === null ? 0 : rows / maxRows
  const size = maxBytes === null ? formatSize(bytes) : `${formatSize(bytes)} of ${formatSize(maxBytes)}`
  const entries = maxRows === null ? pluralize(rows, 'row') : `${rows.toLocaleString()} of ${pluralize(maxRows, 'row')}`
  return (
    <Usage
      title="Texts"
      text={`${size}, ${entries}, including earlier versions, chats and runs.`}
      share={maxBytes === null && maxRows === null ? null : Math.max(byteShare, rowShare)}
    />
  )
}

function Usage({ title, text, share }: { title: string; text: string; share: number | null }) {
  const isNearlyFull = share !== null && share > 0.9
  return (
    <div className="flex flex-col gap-2">
      <h4 className="font-medium">{title}</h4>
      <p className="text-muted-foreground">
        {text}
        {isNearlyFull && ' Delete something, or ask your administrator for more space.'}
      </p>
      {share !== null && (
        <ProgressBar
          label={`Space used by ${title.toLowerCase()}`}
          value={Math.round(share * 100)}
          tone={isNearlyFull ? 'warning' : 'ribbon'}
          className="w-full max-w-80"
        />
      )}
    </div>
  )
}
