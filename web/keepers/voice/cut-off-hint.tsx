import { useEffect, useState } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Time } from '#web/ui/time.tsx'
import { type LeftRecording, leftRecordings } from './running-recording.ts'

interface CutOffHintProps {
  keeperId: string
  /** Opens the form in which the recording can be played, kept or discarded. */
  onHear: (place: string) => void
}

/** Points to a recording that was interrupted by closing the page. */
export function CutOffHint({ keeperId, onHear }: CutOffHintProps) {
  const [left, setLeft] = useState<LeftRecording>()
  useEffect(() => {
    let isGone = false
    void leftRecordings(keeperId).then(([first]) => !isGone && setLeft(first))
    return () => {
      isGone = true
    }
  }, [keeperId])
  if (!left) return null
  return (
    <Banner
      tone="info"
      className="mb-5"
      action={
        <Button size="small" onClick={() => onHear(left.place)}>
          Listen
        </Button>
      }
    >
      A recording was cut off when its page was closed, <Time value={left.at} as="date-time" />. It is kept in this
      browser.
    </Banner>
  )
}
