import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { useSample } from './sample-button.tsx'

interface RemoveSampleProps {
  keeper: Keeper
  /** Leaves the page first if it belongs to the sample keeper. */
  onLeave?: () => void
}

export function RemoveSample({ keeper, onLeave }: RemoveSampleProps) {
  const { countUserEntries, remove, busy, error } = useSample()
  const [userEntryCount, setUserEntryCount] = useState(0)
  const [isConfirming, setIsConfirming] = useState(false)

  async function removeOrConfirm() {
    const count = await countUserEntries(keeper)
    if (count === undefined) return
    setUserEntryCount(count)
    if (count > 0) setIsConfirming(true)
    else await remove(keeper, onLeave)
  }
  return (
    <>
      <Button
        size="small"
        variant="danger-text"
        busy={busy}
        busyLabel="Removing..."
        onClick={() => void removeOrConfirm()}
      >
        Remove sample
      </Button>
      <span role="alert" className="text-ui font-medium text-destructive empty:hidden">
        {error}
      </span>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title="Remove the sample keeper?"
        confirmLabel="Remove sample"
        busyLabel="Removing..."
        onConfirm={() => remove(keeper, onLeave)}
      >
        You wrote {pluralize(userEntryCount, 'entry', 'entries')} in this keeper. Removing the sample deletes them for
        good.
      </ConfirmDialog>
    </>
  )
}

export function SampleBanner({ keeper }: { keeper: Keeper }) {
  const navigate = useNavigate()
  return (
    <section
      aria-label="Sample"
      className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-dashed border-border px-4 py-3 text-ui"
    >
      <p className="min-w-0 flex-1 basis-80 text-muted-foreground">
        A sample with invented entries. Everything works, so try it. Agents read it only when you ask them to.
      </p>
      <RemoveSample keeper={keeper} onLeave={() => navigate('/keeper')} />
    </section>
  )
}
