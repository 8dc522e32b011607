import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

interface StaleBannerProps {
  /** 'This template': what was saved elsewhere meanwhile. */
  what: string
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** A 409 `stale` of something that is no text to compare: one of the two is chosen. */
export function StaleBanner({ what, onKeepMine, onTakeTheirs }: StaleBannerProps) {
  return (
    <Banner
      tone="warning"
      className="mb-4"
      action={
        <span className="flex flex-wrap gap-2">
          <Button size="small" onClick={onTakeTheirs}>
            Take the newer one
          </Button>
          <Button size="small" onClick={onKeepMine}>
            Save mine over it
          </Button>
        </span>
      }
    >
      {what} was changed somewhere else meanwhile. What you typed is still here.
    </Banner>
  )
}
