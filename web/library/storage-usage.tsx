import { HardDrive } from 'lucide-react'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import { formatSize } from '#web/ui/text/format-size.ts'
import type { StorageSpace } from './store/storage-space.ts'

export function StorageUsage({ space }: { space: StorageSpace | null | undefined }) {
  if (space === undefined) return <p className="mt-2.5 min-h-5" />
  if (space === null)
    return (
      <p className="mt-2.5 text-small text-muted-foreground">
        This browser doesn’t report how much space it has, and may clear documents when the disk is full.
      </p>
    )
  const { used, quota, isPersistent } = space
  return (
    <div className="mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted-foreground">
      <span className="flex items-center gap-1.5">
        <HardDrive aria-hidden size={14} />
        Using {formatSize(used)} of {formatSize(quota)}
      </span>
      <ProgressBar
        label="Space used in this browser"
        value={Math.round((used / quota) * 100)}
        tone={used / quota > 0.9 ? 'warning' : 'ribbon'}
        className="w-24"
      />
      <span>
        {isPersistent
          ? 'This browser keeps your documents until you delete them or clear its data.'
          : 'If the disk gets full, this browser may clear your documents, so download what matters.'}
      </span>
    </div>
  )
}
