import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useSample } from './use-sample.ts'

interface RemoveSampleProps {
  keeper: Keeper
  /** Goes elsewhere, where the page is the sample’s own. */
  leave?: () => void
}

/** One click takes it away; where somebody has written into it, it asks first. */
export function RemoveSample({ keeper, leave }: RemoveSampleProps) {
  const { countOwn, remove, busy, error } = useSample()
  const [own, setOwn] = useState(0)
  const [asking, setAsking] = useState(false)

  async function removeOrAsk() {
    const count = await countOwn(keeper)
    if (count === undefined) return
    setOwn(count)
    if (count > 0) setAsking(true)
    else await remove(keeper, leave)
  }
  return (
    <>
      <Button
        size="small"
        variant="danger-text"
        busy={busy}
        busyLabel="Removing..."
        icon={<Trash2 aria-hidden size={14} />}
        onClick={() => void removeOrAsk()}
      >
        Remove sample
      </Button>
      <span role="alert" className="text-ui font-medium text-destructive empty:hidden">
        {error}
      </span>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Remove the sample keeper?"
        confirmLabel="Remove sample"
        busyLabel="Removing..."
        onConfirm={() => remove(keeper, leave)}
      >
        You have written {own === 1 ? 'one thing' : `${own} things`} into it. It goes along, and cannot be brought back.
      </ConfirmDialog>
    </>
  )
}
