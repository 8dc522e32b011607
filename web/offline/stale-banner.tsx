import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

interface StaleBannerProps {
  subject: string
  onKeepLocal: () => void
  onTakeRemote: () => void
}

/** For a 409 `stale` without texts to merge: one version is chosen. */
export function StaleBanner({ subject, onKeepLocal, onTakeRemote }: StaleBannerProps) {
  return (
    <Banner
      tone="warning"
      className="mb-4"
      action={
        <span className="flex flex-wrap gap-2">
          <Button size="small" onClick={onTakeRemote}>
            Use the newer version
          </Button>
          <Button size="small" onClick={onKeepLocal}>
            Save my version
          </Button>
        </span>
      }
    >
      {subject} was changed elsewhere while you were editing. Your changes are still here.
    </Banner>
  )
}
