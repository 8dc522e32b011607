import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { newKeeperPath } from '../keeper-addresses.ts'
import { useKeepers } from '../keeper-queries.ts'
import { getEngagementPath } from './template-queries.ts'
import { useStartRun } from './use-start-run.ts'

export function StartDialog({ template, onClose }: { template: EngagementTemplate; onClose: () => void }) {
  const { data: keepers, error } = useKeepers()
  const [chosenKeeperId, setChosenKeeperId] = useState<string>()
  const navigate = useNavigate()
  const { startRun, busy, failure } = useStartRun()
  const keeperId = chosenKeeperId ?? keepers?.[0]?.id

  async function start() {
    if (!keeperId) return
    const run = await startRun(template, keeperId)
    if (run) navigate(getEngagementPath(keeperId, run.id))
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Start ${template.label}`}
      description="Your answers become an entry in this keeper. You can stop at any question and continue later."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={!keeperId} busy={busy} busyLabel="Starting..." onClick={start}>
            Start
          </Button>
        </>
      }
    >
      {failure && (
        <Banner tone="error" className="mb-3">
          {failure}
        </Banner>
      )}
      {error && <Banner tone="error">Failed to load keepers</Banner>}
      {!keepers && !error && <Skeleton className="h-16" />}
      {keepers?.length === 0 && (
        <p className="flex flex-wrap items-center gap-3 text-ui">
          You have no keeper yet.
          <LinkButton to={newKeeperPath}>Create your first keeper</LinkButton>
        </p>
      )}
      {keepers && keepers.length > 0 && (
        <SelectField
          label="Keeper"
          value={keeperId ?? ''}
          options={keepers.map(({ id, title }) => ({ value: id, label: title }))}
          onChange={(event) => setChosenKeeperId(event.currentTarget.value)}
        />
      )}
    </Dialog>
  )
}
