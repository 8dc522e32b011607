import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type Journey, journeys } from '#contract/keepers/journeys.ts'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import type { KeeperWrite } from '../use-keeper-write.ts'
import { getClosingReflectionPath } from './journey-addresses.ts'

interface CompleteDialogProps {
  journey: Journey
  write: KeeperWrite
  onClose: () => void
}

export function CompleteDialog({ journey, write, onClose }: CompleteDialogProps) {
  const navigate = useNavigate()
  const [reflect, setReflect] = useState(true)

  async function complete() {
    const sendResult = await write(journeys.complete, { params: { id: journey.id }, body: { reflect } }, 'Journey')
    if (sendResult?.state === 'sent' && sendResult.answer.reflectionId)
      await navigate(getClosingReflectionPath(journey.keeperId, sendResult.answer.reflectionId))
  }

  return (
    <ConfirmDialog
      open
      tone="primary"
      onOpenChange={(open) => !open && onClose()}
      title={`Complete ${journey.title}?`}
      confirmLabel="Complete journey"
      busyLabel="Completing..."
      onConfirm={complete}
    >
      <p className="mb-3">Its paths and moments stay as they are. You can resume the journey later.</p>
      <Checkbox
        checked={reflect}
        onCheckedChange={setReflect}
        label="Start a closing reflection"
        help="The reflection starts by quoting your waypoints, and you continue from there."
      />
    </ConfirmDialog>
  )
}
