import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

interface StaleBannerProps {
  what: string
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** For a 409 `stale` without texts to merge: one version is chosen. */
export function StaleBanner({ what, onKeepMine, onTakeTheirs }: StaleBannerProps) {
  return (
    <Banner
      tone="warning"
      className="mb-4"
      action={
        <span className="flex flex-wrap gap-2">
          <Button size="small" onClick={onTakeTheirs}>
            Use the newer version
          </Button>
          <Button size="small" onClick={onKeepMine}>
            Save my version
          </Button>
        </span>
      }
    >
      {what} was changed elsewhere while you were editing. Your changes are still here.
    </Banner>
  )
}
