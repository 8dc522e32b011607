import { Users } from 'lucide-react'
import { useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import type { ShareTarget } from './share-dialog.tsx'
import { useShares } from './shared-queries.ts'

const ShareDialog = lazyComponent(async () => (await import('./share-dialog.tsx')).ShareDialog)

/** "Read by 4 people in Willowbrook", for each domain; opens the share dialog. */
export function SharedMark({ target }: { target: ShareTarget }) {
  const [isOpen, setOpen] = useState(false)
  const labels = useShareLabels(target)
  if (labels.length === 0) return null
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="tap-area inline-flex max-w-full items-center gap-1.5 rounded-xs text-small text-muted-foreground underline-offset-2 hover:text-foreground hover:underline"
      >
        <Users aria-hidden size={13} className="shrink-0" />
        <span className="min-w-0 text-start wrap-anywhere">{labels.join('; ')}</span>
      </button>
      {isOpen && <ShareDialog target={target} onClose={() => setOpen(false)} />}
    </>
  )
}

export function ShareButton({ target }: { target: ShareTarget }) {
  const [isOpen, setOpen] = useState(false)
  if (isDemoKeeper(target.keeperId)) return null
  return (
    <>
      <Button icon={<Users aria-hidden size={15} />} onClick={() => setOpen(true)}>
        Share with members
      </Button>
      {isOpen && <ShareDialog target={target} onClose={() => setOpen(false)} />}
    </>
  )
}

function formatReaders({ readers, domainName }: { readers: number; domainName: string }, suffix = ''): string {
  if (readers === 0) return `Shared in ${domainName}${suffix}, no readers yet`
  return `Read by ${pluralize(readers, 'person', 'people')} in ${domainName}${suffix}`
}

export const toShareTarget = ({ id, title }: Pick<Keeper, 'id' | 'title'>): ShareTarget => ({
  kind: 'keeper',
  id,
  title,
  keeperId: id,
})

function useShareLabels({ kind, id, keeperId }: ShareTarget): string[] {
  const { data: shares } = useShares(keeperId, !isDemoKeeper(keeperId))
  if (!shares) return []
  if (kind === 'keeper') return shares.keeper.map((share) => formatReaders(share))
  const keeperShares = shares.keeper.filter(({ parts }) => parts.includes('journeys'))
  return [
    ...shares.journeys.filter(({ journeyId }) => journeyId === id).map((share) => formatReaders(share)),
    ...keeperShares.map((share) => formatReaders(share, ' with its keeper')),
  ]
}
