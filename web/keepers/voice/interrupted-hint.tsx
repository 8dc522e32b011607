import { useEffect, useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { type InterruptedRecording, listInterruptedRecordings } from './running-recording.ts'

interface InterruptedHintProps {
  keeperId: string
  /** Opens the form in which the recording can be played, kept or discarded. */
  onListen: (place: string) => void
}

/** Points to a recording that was interrupted by closing the page. */
export function InterruptedHint({ keeperId, onListen }: InterruptedHintProps) {
  const [interrupted, setInterrupted] = useState<InterruptedRecording>()
  useEffect(() => {
    let isDisposed = false
    void listInterruptedRecordings(keeperId).then(([oldest]) => !isDisposed && setInterrupted(oldest))
    return () => {
      isDisposed = true
    }
  }, [keeperId])
  if (!interrupted) return null
  return (
    <Banner
      tone="info"
      className="mb-5"
      action={
        <Button size="small" onClick={() => onListen(interrupted.place)}>
          Listen
        </Button>
      }
    >
      A recording was cut off when its page was closed, <Time value={interrupted.at} timeStyle="date-time" />. It’s
      saved in this browser.
    </Banner>
  )
}
